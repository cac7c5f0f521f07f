import { hash } from "node:crypto";
import { readSample, sampleNames } from "../samples.ts";

/** Those that the home page shows of the sandbox's catalog; a test looks at them at the moment of a first start. */
export const FIRST_PICTURES = ["assembly-flat-free", "seat-switch", "fuel-pump-electric", "spark-plug", "head-gasket"];

export interface SandboxPicture {
  name: string;
  /** SHA-256 of the WebP in lower-case hex, the media service's id: price files can link to it in advance. */
  id: string;
  webp: Buffer;
}

interface PictureKeeper {
  has(ids: string[]): Promise<string[]>;
  put(picture: SandboxPicture): Promise<unknown>;
}

/** Reads the pictures that the sandbox's parts link to, one for each kind. */
export function readPictures(): SandboxPicture[] {
  return sampleNames("pictures").map((name) => {
    const webp = readSample(`pictures/${name}`);
    return { name: name.replace(".webp", ""), id: hash("sha256", webp), webp };
  });
}

/** Sends the pictures that are missing, all or those of `names`; returns their number. */
export async function keepPictures(keeper: PictureKeeper, names?: readonly string[]): Promise<number> {
  const pictures = readPictures().filter(({ name }) => !names || names.includes(name));
  const keptIds = new Set(await keeper.has(pictures.map(({ id }) => id)));
  const missing = pictures.filter(({ id }) => !keptIds.has(id));
  for (const picture of missing) await keeper.put(picture);
  return missing.length;
}
