import { getManualPrefix } from "../shared/manual-objects.ts";

export const getSourceKey = (sha256: string): string => `${getManualPrefix(sha256)}source.pdf`;
export const getTextKey = (sha256: string, page: number): string => `${getManualPrefix(sha256)}pages/${page}.txt`;
export const getDrawingKey = (sha256: string, page: number): string => `${getManualPrefix(sha256)}pages/${page}.webp`;
/** Key of a page's drawing alone. */
export const getCropKey = (sha256: string, page: number): string => `${getManualPrefix(sha256)}drawings/${page}.webp`;
export const getImagesPrefix = (sha256: string): string => `${getManualPrefix(sha256)}images/`;
export const getTablesPrefix = (sha256: string): string => `${getManualPrefix(sha256)}tables/`;
/** Key of the list of a reading's tables and images, apart from those of the next reading. */
export const getContentsKey = (sha256: string, run: number): string => `${getManualPrefix(sha256)}contents/${run}.json`;
/** Why a page cannot be drawn. */
export const getUndrawnKey = (sha256: string, page: number): string => `${getManualPrefix(sha256)}undrawn/${page}.txt`;
export const getImageKey = (sha256: string, page: number, index: number): string =>
  `${getImagesPrefix(sha256)}${page}-${index}.webp`;
export const getTableKey = (sha256: string, page: number, index: number, form: "json" | "csv"): string =>
  `${getTablesPrefix(sha256)}${page}-${index}.${form}`;

/** Key of the findings on the pages of a range, as read. */
export const getRangeKey = (sha256: string, range: number): string =>
  `${getManualPrefix(sha256)}ranges/${range}.ndjson`;

/** Folder of a file until its hash is known. */
export const STAGED = "staged/";
/** Folder of a manual's file while the manual is removed to be read again. */
export const AGAIN = "again/";
