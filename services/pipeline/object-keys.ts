import { getManualPrefix } from "../shared/manual-objects.ts";

export const getSourceKey = (sha256: string): string => `${getManualPrefix(sha256)}source.pdf`;
export const getTextKey = (sha256: string, page: number): string => `${getManualPrefix(sha256)}pages/${page}.txt`;
export const getDrawingKey = (sha256: string, page: number): string => `${getManualPrefix(sha256)}pages/${page}.webp`;
export const getImagesPrefix = (sha256: string): string => `${getManualPrefix(sha256)}images/`;
export const getTablesPrefix = (sha256: string): string => `${getManualPrefix(sha256)}tables/`;
/** Which tables and images a reading left, apart from those of the next reading. */
export const getContentsKey = (sha256: string, run: number): string => `${getManualPrefix(sha256)}contents/${run}.json`;
/** Why a page cannot be drawn. */
export const getUndrawnKey = (sha256: string, page: number): string => `${getManualPrefix(sha256)}undrawn/${page}.txt`;
export const getImageKey = (sha256: string, page: number, index: number): string =>
  `${getImagesPrefix(sha256)}${page}-${index}.webp`;
export const getTableKey = (sha256: string, page: number, index: number, form: "json" | "csv"): string =>
  `${getTablesPrefix(sha256)}${page}-${index}.${form}`;

/** What was found on the pages of a range, as it was read. */
export const getRangeKey = (sha256: string, range: number): string =>
  `${getManualPrefix(sha256)}ranges/${range}.ndjson`;

/** Where a file is until its hash is known. */
export const STAGED = "staged/";
/** Where the file of a manual is while the manual is removed to be read again. */
export const AGAIN = "again/";
