import { fittingAMessage } from "../../../broker/contract/message.ts";
import { notFound } from "../../../mixins/errors.ts";
import { readJsonObject } from "../../../mixins/object-store/open.ts";
import type { ObjectStore } from "../../../mixins/object-store/port.ts";
import { manualKey, partsPieceKey } from "../../shared/manual-objects.ts";
import type { ReadingDocument } from "../collections.ts";
import { PARTS_PER_PIECE } from "../limits.ts";
import { contentsKey } from "../object-keys.ts";
import type { FoundPart, Manual } from "../reading/findings.ts";
import type { Readings } from "../readings.ts";
import { listContents, type Contents } from "./contents.ts";
import { putWhole } from "./page-results.ts";

/** Results of manuals. Each @throws NOT_FOUND without results, and what the object store throws */
export interface ManualResults {
  reading(sha256: string): Promise<ReadingDocument>;
  manual(sha256: string): Promise<Manual>;
  contents(sha256: string): Promise<Contents>;
  /** Fewer do not mean the end. */
  parts(sha256: string, from: number, most: number): Promise<FoundPart[]>;
}

export function createManualResults(objects: ObjectStore, readings: Readings): ManualResults {
  const reading = async (sha256: string): Promise<ReadingDocument> => {
    const found = await readings.withResults(sha256);
    if (!found) throw notFound("Manual", sha256);
    return found;
  };

  return {
    reading,
    manual: async (sha256) => {
      await reading(sha256);
      const manual = await readJsonObject<Manual>(objects, manualKey(sha256));
      if (!manual) throw notFound("Manual", sha256);
      return manual;
    },
    contents: async (sha256) => {
      const { run } = await reading(sha256);
      const key = contentsKey(sha256, run);
      const known = await readJsonObject<Contents>(objects, key);
      if (known) return known;
      const contents = await listContents(objects, sha256);
      // A list made during a removal is incomplete.
      if ((await reading(sha256)).run !== run) throw notFound("Manual", sha256);
      await putWhole(objects, key, JSON.stringify(contents), "application/json");
      return contents;
    },
    parts: async (sha256, from, most) => {
      const { parts } = await reading(sha256);
      if (from >= parts) return [];
      const piece = Math.floor(from / PARTS_PER_PIECE);
      const kept = (await readJsonObject<FoundPart[]>(objects, partsPieceKey(sha256, piece))) ?? [];
      const start = from - piece * PARTS_PER_PIECE;
      return fittingAMessage(kept.slice(start, start + most));
    },
  };
}
