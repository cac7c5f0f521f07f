import { limitToMessage } from "../../../broker/contract/message.ts";
import { notFound } from "../../../mixins/errors.ts";
import { type ObjectStore, readJsonObject, readObject } from "@partline/durable";
import { manualKey, partsPieceKey } from "../../shared/manual-objects.ts";
import type { ReadingDocument } from "../collections.ts";
import { PARTS_PER_PIECE } from "../limits.ts";
import { contentsKey, imagesBelow, rangeKey, tablesBelow } from "../object-keys.ts";
import { type FoundPart, type Manual, type PageFindings, pagesOf } from "@partline/manual-reader";
import type { Readings } from "../readings.ts";
import { rangeOfPage } from "../work/ranges.ts";
import { putWhole } from "./page-results.ts";

export type ManualResults = ReturnType<typeof createManualResults>;

/** Results of manuals. Each @throws NOT_FOUND without results, and what the object store throws */
export function createManualResults(objects: ObjectStore, readings: Readings) {
  const reading = async (sha256: string): Promise<ReadingDocument> => {
    const found = await readings.withResults(sha256);
    if (!found) throw notFound("Manual", sha256);
    return found;
  };

  const pieceOf = async (sha256: string, piece: number): Promise<FoundPart[]> =>
    (await readJsonObject<FoundPart[]>(objects, partsPieceKey(sha256, piece))) ?? [];

  return {
    reading,
    manual: async (sha256: string): Promise<Manual> => {
      await reading(sha256);
      const manual = await readJsonObject<Manual>(objects, manualKey(sha256));
      if (!manual) throw notFound("Manual", sha256);
      return manual;
    },
    contents: async (sha256: string): Promise<Contents> => {
      const { run } = await reading(sha256);
      const key = contentsKey(sha256, run);
      const known = await readJsonObject<Contents>(objects, key);
      if (known) return known;
      const contents = {
        tables: await placesBelow(objects, tablesBelow(sha256), "json"),
        images: await placesBelow(objects, imagesBelow(sha256), "webp"),
      };
      // A list made during a removal is incomplete.
      if ((await reading(sha256)).run !== run) throw notFound("Manual", sha256);
      await putWhole(objects, key, JSON.stringify(contents), "application/json");
      return contents;
    },
    /** What was read on a page, as many of its parts as an answer holds. @throws NOT_FOUND also without the page */
    page: async (sha256: string, page: number) => {
      const { pages = 0, parts } = await reading(sha256);
      if (page > pages) throw notFound(`Page ${page} of manual`, sha256);
      const found: FoundPart[] = [];
      // Parts are in the order of pages.
      for (let piece = 0; piece * PARTS_PER_PIECE < parts; piece += 1) {
        const kept = await pieceOf(sha256, piece);
        found.push(...kept.filter((part) => part.page === page));
        if ((kept.at(-1)?.page ?? 0) > page) break;
      }
      const { width = null, height = null, tables } = (await findingsOf(objects, sha256, page)) ?? { tables: [] };
      return { width, height, tables: tables.length, parts: limitToMessage(found) };
    },
    /** Fewer do not mean the end. */
    parts: async (sha256: string, from: number, most: number): Promise<FoundPart[]> => {
      const { parts } = await reading(sha256);
      if (from >= parts) return [];
      const kept = await pieceOf(sha256, Math.floor(from / PARTS_PER_PIECE));
      const start = from % PARTS_PER_PIECE;
      return limitToMessage(kept.slice(start, start + most));
    },
  };
}

/** As the page alone was read; undefined if it could not be. */
async function findingsOf(objects: ObjectStore, sha256: string, page: number): Promise<PageFindings | undefined> {
  const key = rangeKey(sha256, rangeOfPage(page));
  if (!(await objects.head(key))) return undefined;
  return pagesOf((await readObject(objects, key)).toString()).find((findings) => findings.page === page);
}

/** From 1. */
interface Place {
  page: number;
  index: number;
}

/** In the order of pages. */
export interface Contents {
  tables: Place[];
  images: Place[];
}

async function placesBelow(objects: ObjectStore, prefix: string, form: string): Promise<Place[]> {
  const places: Place[] = [];
  for await (const { key } of objects.list(prefix)) {
    if (key.endsWith(`.${form}`)) places.push(placeOf(key.slice(prefix.length)));
  }
  return places.sort((one, other) => one.page - other.page || one.index - other.index);
}

/** `7-1.webp` */
export function placeOf(name: string): Place {
  const [page = 0, index = 0] = name.split("-").map((part) => Number.parseInt(part, 10));
  return { page, index };
}
