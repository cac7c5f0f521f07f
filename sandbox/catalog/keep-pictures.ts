import { setImmediate as turn } from "node:timers/promises";
import { TIRE_LINES } from "../tires/product-lines.ts";
import { pictureOf, type SandboxPicture } from "./pictures.ts";
import { SUPPLIERS } from "./suppliers.ts";

export interface PictureKeeper {
  /** Of these images, those that are kept. */
  has(ids: string[]): Promise<string[]>;
  put(picture: SandboxPicture): Promise<unknown>;
}

/** Every category that a part or a tire of the sandbox has. */
export function pictureCategories(): string[] {
  return [...new Set([...SUPPLIERS.flatMap(({ lines }) => lines), ...TIRE_LINES].map(({ category }) => category))];
}

/** Sends what the sandbox's catalog links to and is not kept. Answers how many that were. */
export async function keepPictures(keeper: PictureKeeper): Promise<number> {
  const pictures: SandboxPicture[] = [];
  for (const category of pictureCategories()) {
    pictures.push(pictureOf(category));
    // Drawing takes milliseconds each; whoever searches meanwhile is not to wait for all of them.
    await turn();
  }
  const kept = new Set(await keeper.has(pictures.map(({ id }) => id)));
  const missing = pictures.filter(({ id }) => !kept.has(id));
  for (const picture of missing) await keeper.put(picture);
  return missing.length;
}
