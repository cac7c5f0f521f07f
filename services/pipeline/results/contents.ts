import type { ObjectStore } from "../../../mixins/object-store/port.ts";
import { imagesBelow, tablesBelow } from "../object-keys.ts";

/** From 1. */
export interface Place {
  page: number;
  index: number;
}

/** In the order of pages. */
export interface Contents {
  tables: Place[];
  images: Place[];
}

/** @throws what the object store throws */
export async function listContents(objects: ObjectStore, sha256: string): Promise<Contents> {
  return {
    tables: await placesBelow(objects, tablesBelow(sha256), "json"),
    images: await placesBelow(objects, imagesBelow(sha256), "webp"),
  };
}

async function placesBelow(objects: ObjectStore, prefix: string, form: string): Promise<Place[]> {
  const places: Place[] = [];
  for await (const { key } of objects.list(prefix)) {
    const [index = "", ending] = key.slice(prefix.length).split(".");
    if (ending === form) places.push(placeOf(index));
  }
  return places.sort((one, other) => one.page - other.page || one.index - other.index);
}

/** `7-1` */
export function placeOf(name: string): Place {
  const [page = 0, index = 0] = name.split("-").map(Number);
  return { page, index };
}
