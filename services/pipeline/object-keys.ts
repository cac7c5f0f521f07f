import { prefixOf } from "../shared/manual-objects.ts";

export const sourceKey = (sha256: string): string => `${prefixOf(sha256)}source.pdf`;
export const textKey = (sha256: string, page: number): string => `${prefixOf(sha256)}pages/${page}.txt`;
export const drawingKey = (sha256: string, page: number): string => `${prefixOf(sha256)}pages/${page}.webp`;
export const imagesBelow = (sha256: string): string => `${prefixOf(sha256)}images/`;
export const tablesBelow = (sha256: string): string => `${prefixOf(sha256)}tables/`;
/** Which tables and images a reading left, apart from those of the next reading. */
export const contentsKey = (sha256: string, run: number): string => `${prefixOf(sha256)}contents/${run}.json`;
/** Why a page cannot be drawn. */
export const undrawnKey = (sha256: string, page: number): string => `${prefixOf(sha256)}undrawn/${page}.txt`;
export const imageKey = (sha256: string, page: number, index: number): string =>
  `${imagesBelow(sha256)}${page}-${index}.webp`;
export const tableKey = (sha256: string, page: number, index: number, form: "json" | "csv"): string =>
  `${tablesBelow(sha256)}${page}-${index}.${form}`;

/** What was found on the pages of a range, as it was read. */
export const rangeKey = (sha256: string, range: number): string => `${prefixOf(sha256)}ranges/${range}.ndjson`;

/** Where a file is until its hash is known. */
export const STAGED = "staged/";
