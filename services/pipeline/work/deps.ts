import type { AtomicWrite, DocumentStore } from "../../../mixins/document-store/port.ts";
import type { ObjectStore } from "../../../mixins/object-store/port.ts";
import type { LocalCopies } from "../files/local-copies.ts";
import type { PipelineCounts } from "../metrics.ts";
import type { PdfReader } from "../reading/pdf/reader.ts";
import type { Readings } from "../readings.ts";
import type { Staging } from "../uploads/staging.ts";

/** What the pieces of work need. */
export interface WorkDeps {
  documents: DocumentStore;
  objects: ObjectStore;
  readings: Readings;
  copies: LocalCopies;
  staging: Staging;
  reader: PdfReader;
  counts: PipelineCounts;
  /** Writes that need no more than to be written, and wakes who waits for them. */
  queue(writes: AtomicWrite[]): Promise<void>;
  /** There is something new in the outbox, or a task. */
  wake(): void;
}
