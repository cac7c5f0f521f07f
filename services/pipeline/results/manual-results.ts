import { fittingAMessage } from "../../../broker/contract/message.ts";
import { notFound } from "../../../mixins/errors.ts";
import { readObject } from "../../../mixins/object-store/open.ts";
import { hasObjectStoreCode, type ObjectStore } from "../../../mixins/object-store/port.ts";
import type { PageFacts, PagesPiece, PartsPiece } from "../assembly/assemble-files.ts";
import type { ReadingDocument } from "../collections.ts";
import { PARTS_PER_PIECE } from "../limits.ts";
import { contentsKey, manualKey, pagesPieceKey, partsPieceKey } from "../object-keys.ts";
import type { FoundPart, Manual } from "../reading/findings.ts";
import type { Readings } from "../readings.ts";
import { rangeCount, rangeOfPage } from "../work/ranges.ts";
import { listContents, type Contents } from "./contents.ts";
import { putWhole } from "./page-results.ts";

/** No page that a person reads is longer. */
const LONGEST_TEXT = 100_000;

/** What was read of manuals, some at a time. Each @throws NOT_FOUND for one that has no results, and what the object store throws */
export interface ManualResults {
  /** Its reading. */
  reading(sha256: string): Promise<ReadingDocument>;
  manual(sha256: string): Promise<Manual>;
  contents(sha256: string): Promise<Contents>;
  /** At most so many from an index on; fewer does not say that there are no more. */
  parts(sha256: string, from: number, most: number): Promise<FoundPart[]>;
  /** At most so many pages behind one. */
  pages(sha256: string, after: number, most: number): Promise<PageFacts[]>;
}

export function createManualResults(objects: ObjectStore, readings: Readings): ManualResults {
  const json = async <T>(key: string): Promise<T | undefined> => {
    try {
      return JSON.parse((await readObject(objects, key)).toString()) as T;
    } catch (error) {
      if (hasObjectStoreCode(error, "NOT_FOUND")) return undefined;
      throw error;
    }
  };
  const reading = async (sha256: string): Promise<ReadingDocument> => {
    const found = await readings.withResults(sha256);
    if (!found) throw notFound("Manual", sha256);
    return found;
  };

  return {
    reading,
    manual: async (sha256) => {
      await reading(sha256);
      const manual = await json<Manual>(manualKey(sha256));
      if (!manual) throw notFound("Manual", sha256);
      return manual;
    },
    contents: async (sha256) => {
      const { run } = await reading(sha256);
      const key = contentsKey(sha256, run);
      const known = await json<Contents>(key);
      if (known) return known;
      const contents = await listContents(objects, sha256);
      // What was listed while the manual was being removed is not the whole of it.
      if ((await reading(sha256)).run !== run) throw notFound("Manual", sha256);
      await putWhole(objects, key, JSON.stringify(contents), "application/json");
      return contents;
    },
    parts: async (sha256, from, most) => {
      const { parts } = await reading(sha256);
      if (from >= parts) return [];
      const piece = Math.floor(from / PARTS_PER_PIECE);
      const kept = (await json<PartsPiece>(partsPieceKey(sha256, piece))) ?? [];
      const start = from - piece * PARTS_PER_PIECE;
      return fittingAMessage(kept.slice(start, start + most));
    },
    pages: async (sha256, after, most) => {
      const { pages = 0 } = await reading(sha256);
      const found: PageFacts[] = [];
      for (let range = rangeOfPage(after + 1); range < rangeCount(pages) && found.length < most; range += 1) {
        const kept = (await json<PagesPiece>(pagesPieceKey(sha256, range))) ?? [];
        found.push(...kept.filter(({ page }) => page > after));
      }
      return fittingAMessage(found.slice(0, most).map((page) => ({ ...page, text: shortened(page.text) })));
    },
  };
}

function shortened(text: string): string {
  return text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT).toWellFormed() : text;
}
