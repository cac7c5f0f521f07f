import type { PageFindings } from "../findings.ts";

/** What the reader and its processes say to each other: one request at a time, one answer to each. */

/** Why a file cannot be read at all. */
export type RefusalCode = "NOT_A_PDF" | "EMPTY" | "ENCRYPTED" | "DAMAGED" | "TOO_MANY_PAGES";

export interface Refusal {
  code: RefusalCode;
  /** In words for whoever sent the file. */
  reason: string;
}

/** Why a page of a file that can be read could not. */
export type PageFailureCode = "DAMAGED" | "TIMEOUT" | "MEMORY" | "CRASHED";

export interface PageFailure {
  code: PageFailureCode;
  reason: string;
}

/** An image of a page, by its index there (PageImage.index). */
export type ImageFile =
  { index: number; webp: Uint8Array; width: number; height: number } | { index: number; refused: string };

export interface PageRead {
  page: number;
  findings: PageFindings;
  images: ImageFile[];
  /** Images that were too large to be looked at: why, one for each. */
  refusedImages: string[];
}

export interface Drawing {
  webp: Uint8Array;
  width: number;
  height: number;
}

export interface ReaderLimits {
  maxPages: number;
  /** Of an image, decoded. */
  maxPixels: number;
  /** Scanned pages are read by OCR. */
  ocr: boolean;
}

export type Request =
  | { kind: "open"; file: string }
  | { kind: "read"; file: string; page: number }
  | { kind: "draw"; file: string; page: number; width: number };

export type Answer =
  | { opened: { pages: number } }
  | { refused: Refusal }
  | { read: PageRead }
  | { drawn: Drawing }
  | { failed: PageFailure };
