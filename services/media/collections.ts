import type { CollectionDefinition, Document } from "../../mixins/document-store/port.ts";
import type { ImageFormat } from "./limits.ts";
import type { Picture } from "./variant.ts";

/** What is in the object store of an image or of a variant of it. */
export interface KeptFile {
  format: ImageFormat;
  bytes: number;
  sha256: string;
}

/** An image that can be had; written when all of it is in the object store. Its id is the SHA-256 of what was sent. */
export interface ImageDocument extends Document, Picture, KeptFile {
  createdAt: Date;
}

export const IMAGES: CollectionDefinition = { name: "media_images", fields: { createdAt: "date" } };

/** A variant that was made; its id is its image's, a slash, and its name. */
export interface VariantDocument extends Document, KeptFile {
  image: string;
  madeAt: Date;
  /** When it was last asked for, to the hour; not there until it was asked for again an hour after it was made. */
  usedAt?: Date;
}

export const VARIANTS: CollectionDefinition = {
  name: "media_variants",
  fields: { image: "string", madeAt: "date", usedAt: "date" },
  indexes: [{ keys: { image: 1 } }],
};

/** Where the bytes are. The hash in it keeps what two nodes make at once from being mixed. */
export function objectKeyOf(image: string, { sha256 }: Pick<KeptFile, "sha256">): string {
  return `${objectPrefixOf(image)}${sha256}`;
}

/** Everything of an image is below it. */
export function objectPrefixOf(image: string): string {
  return `media/${image}/`;
}
