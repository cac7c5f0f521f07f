import type { PageFindings } from "../findings.ts";
import type { PdfFacts } from "./facts.ts";

export interface Refusal {
  code: "NOT_A_PDF" | "EMPTY" | "ENCRYPTED" | "DAMAGED" | "TOO_MANY_PAGES";
  /** For the sender. */
  reason: string;
}

export interface PageFailure {
  code: "DAMAGED" | "TIMEOUT" | "MEMORY" | "CRASHED";
  reason: string;
}

export interface Drawing {
  webp: Uint8Array;
  width: number;
  height: number;
}

/** `index` as in PageImage. */
export type ImageFile = { index: number } & (Drawing | { refused: string });

export interface PageRead {
  page: number;
  findings: PageFindings;
  images: ImageFile[];
  /** Reasons for images that are too large, one each. */
  refusedImages: string[];
}

export interface ReaderLimits {
  maxPages: number;
  /** Decoded. */
  maxPixels: number;
  /** Of OCR; without any there is none. */
  languages: readonly string[];
}

export type Request =
  | { kind: "open"; file: string }
  | { kind: "read"; file: string; page: number }
  | { kind: "draw"; file: string; page: number; width: number };

export type Answer =
  { opened: PdfFacts } | { refused: Refusal } | { read: PageRead } | { drawn: Drawing } | { failed: PageFailure };
