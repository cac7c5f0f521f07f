import type { DocumentStore, ObjectStore, AtomicWrite } from "@partline/durable";
import type { PdfReader } from "@partline/manual-reader";
import type { LocalCopies } from "../files/local-copies.ts";
import type { PipelineCounts } from "../metrics.ts";
import type { Readings } from "../readings.ts";
import type { FileError } from "../resources.ts";
import type { Staging } from "../uploads/staging.ts";

export type OcrMode = "auto" | "on" | "off";

export interface WorkDeps {
  documents: DocumentStore;
  objects: ObjectStore;
  readings: Readings;
  copies: LocalCopies;
  staging: Staging;
  reader: PdfReader;
  /** Reads pages by OCR, one at a time. */
  recogniser: PdfReader;
  ocrMode: OcrMode;
  counts: PipelineCounts;
  /** Name of the model that embeds manuals for the desk, or `lexical`. */
  embeddingModel: string;
  /** Ends a reading without results. */
  failReading(id: string, reason: string, code?: FileError): Promise<void>;
  /** Writes, and wakes the tasks. */
  queue(writes: AtomicWrite[]): Promise<void>;
  /** The outbox or a task has something new. */
  wake(): void;
}
