import { notFound } from "../../mixins/errors.ts";
import { type ObjectStore, readJsonObject } from "@partline/durable";
import { getFindingsPrefix, getManualKey, getPartsPieceKey } from "../shared/manual-objects.ts";
import type { ManualFigure, ManualFile, ManualPage, ManualPart } from "@partline/manual-reader";

export type ManualSource = ReturnType<typeof createManualSource>;

/**
 * The pipeline's results; parts and pages piece by piece, in the manual's order.
 * Each @throws NOT_FOUND if the manual is missing or being removed, and what the object store throws
 */
export function createManualSource(objects: () => Promise<ObjectStore>) {
  const find = async <T>(key: string): Promise<T | undefined> => readJsonObject<T>(await objects(), key);
  return {
    getManual: async (sha256: string): Promise<ManualFile> => {
      const manual = await find<ManualFile>(getManualKey(sha256));
      if (!manual) throw notFound("Manual", sha256);
      return manual;
    },
    async *readParts({ sha256, parts: total }: Pick<ManualFile, "sha256" | "parts">): AsyncIterable<ManualPart[]> {
      for (let piece = 0, readCount = 0; readCount < (total ?? Infinity); piece += 1) {
        const parts = await find<ManualPart[]>(getPartsPieceKey(sha256, piece));
        if (!parts && total === undefined) return;
        if (!parts) throw notFound("Manual", sha256);
        yield parts;
        readCount += parts.length;
      }
    },
    async *readPages(sha256: string): AsyncIterable<ManualPage[]> {
      const keys: string[] = [];
      for await (const { key } of (await objects()).list(getFindingsPrefix(sha256))) keys.push(key);
      const parseRange = (key: string): number => Number.parseInt(key.slice(getFindingsPrefix(sha256).length), 10);
      for (const key of keys.sort((firstKey, secondKey) => parseRange(firstKey) - parseRange(secondKey))) {
        const pages = await find<ManualPage[]>(key);
        if (!pages) throw notFound("Manual", sha256);
        yield pages;
      }
    },
  };
}

/** Returns a figure's name for customers: `Figure 7: Mower Deck`. */
export function formatSchemaName({ label, title }: Pick<ManualFigure, "label" | "title">): string {
  if (label === "") return title;
  return title === "" ? `Figure ${label}` : `Figure ${label}: ${title}`;
}
