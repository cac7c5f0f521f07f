import type { AtomicWrite, DocumentStore } from "../../../mixins/document-store/port.ts";
import type { ObjectStore } from "../../../mixins/object-store/port.ts";
import type { LocalCopies } from "../files/local-copies.ts";
import type { PipelineCounts } from "../metrics.ts";
import type { PdfReader } from "../reading/pdf/reader.ts";
import type { Readings } from "../readings.ts";
import type { Staging } from "../uploads/staging.ts";

export interface WorkDeps {
  documents: DocumentStore;
  objects: ObjectStore;
  readings: Readings;
  copies: LocalCopies;
  staging: Staging;
  reader: PdfReader;
  counts: PipelineCounts;
  /** Writes, and wakes the tasks. */
  queue(writes: AtomicWrite[]): Promise<void>;
  /** The outbox or a task has something new. */
  wake(): void;
}
