import { hash } from "node:crypto";
import { readSample, sampleNames } from "../samples.ts";

export interface SandboxPicture {
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
    return { id: hash("sha256", webp), webp };
  });
}

/** Sends the pictures that are missing; returns their number. */
export async function keepPictures(keeper: PictureKeeper): Promise<number> {
  const allPictures = readPictures();
  const keptIds = new Set(await keeper.has(allPictures.map(({ id }) => id)));
  const missing = allPictures.filter(({ id }) => !keptIds.has(id));
  for (const picture of missing) await keeper.put(picture);
  return missing.length;
}
