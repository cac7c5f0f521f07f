import type { CollectionDefinition, Document } from "@partline/durable";
import type { ImageFormat } from "./limits.ts";
import type { Picture } from "./variant.ts";

/** A file in the object store. */
export interface KeptFile {
  format: ImageFormat;
  bytes: number;
  sha256: string;
}

/** Record of an image, written once all bytes are stored. Its id is the SHA-256 of the upload. */
export interface ImageDocument extends Document, Picture, KeptFile {
  createdAt: Date;
}

export const IMAGES: CollectionDefinition = { name: "media_images", fields: { createdAt: "date" } };

/** Its id is `IMAGE/NAME`. */
export interface VariantDocument extends Document, KeptFile {
  image: string;
  madeAt: Date;
  /** Last use, to the hour; missing until an hour after it was made. */
  usedAt?: Date;
}

export const VARIANTS: CollectionDefinition = {
  name: "media_variants",
  fields: { image: "string", madeAt: "date", usedAt: "date" },
  indexes: [{ keys: { image: 1 } }],
};

/** Returns the key of a file; its hash keeps apart what two nodes make at once. */
export function getObjectKey(image: string, { sha256 }: Pick<KeptFile, "sha256">): string {
  return `${getObjectPrefix(image)}${sha256}`;
}

export function getObjectPrefix(image: string): string {
  return `media/${image}/`;
}
