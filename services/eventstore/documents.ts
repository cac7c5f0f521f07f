import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { ulid } from "ulid";
import { PartlineError, validationFailed } from "../../mixins/errors.ts";
import { hasEventLogCode, type Appended, type NewEvent } from "../../mixins/event-log/port.ts";
import { KeyedQueue } from "../../mixins/keyed-queue.ts";
import type { AggregateState } from "./state.ts";

interface NewDocument {
  content: string;
  metadata?: Record<string, unknown>;
}

interface StoredDocument {
  id: string;
  /** Of its newest event. */
  event_id: string;
  version: number;
}

/** What documents need of the event log. */
export interface DocumentLog {
  current(id: string): Promise<AggregateState | undefined>;
  append(event: NewEvent): Promise<Appended>;
}

/** What documents are embedded with for retrieval where no model is configured: words alone. */
const EMBEDDING_MODEL = "lexical";

/** Of all that change one document at the same moment one gets through in each round. */
const MAX_ROUNDS = 100;

/**
 * Records what is new or has changed; of documents with one id, one after another, in the order of the request.
 * @throws VALIDATION_FAILED for an id that cannot be an aggregate's (before anything is recorded); VERSION_CONFLICT; what the log throws
 */
export async function storeDocuments(documents: readonly NewDocument[], log: DocumentLog): Promise<{ stored: number; documents: StoredDocument[] }> {
  const ids = documents.map(documentId);
  const queue = new KeyedQueue();
  const outcomes = await Promise.all(documents.map((document, index) => queue.run(ids[index]!, () => storeDocument(document, ids[index]!, log))));
  return { stored: outcomes.filter(({ recorded }) => recorded).length, documents: outcomes.map(({ id, event_id, version }) => ({ id, event_id, version })) };
}

/** @throws VERSION_CONFLICT after 100 lost rounds */
async function storeDocument({ content, metadata = {} }: NewDocument, id: string, log: DocumentLog): Promise<StoredDocument & { recorded: boolean }> {
  const data = { content, metadata, embedding_model: EMBEDDING_MODEL };
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const known = await log.current(id);
    if (known && isDeepStrictEqual(known.state, data)) return { id, event_id: known.event_id, version: known.version, recorded: false };
    try {
      const { event_id, version } = await log.append({
        event_id: ulid(), aggregate_id: id, aggregate_type: "document", event_type: known ? "DOCUMENT_UPDATED" : "DOCUMENT_CREATED", data, timestamp: new Date(),
        expected_version: known?.version ?? 0,
      });
      return { id, event_id, version, recorded: true };
    } catch (error) {
      if (!hasEventLogCode(error, "VERSION_CONFLICT")) throw error;
    }
  }
  throw new PartlineError("VERSION_CONFLICT", "The document is being changed by too many at once; try again");
}

/** @throws VALIDATION_FAILED; `index` is the document's in the request */
function documentId({ content, metadata = {} }: NewDocument, index: number): string {
  const { id } = metadata;
  if (id === undefined || id === null) return `doc_${createHash("sha256").update(JSON.stringify([content, sortedKeys(metadata)])).digest("hex").slice(0, 32)}`;
  if (typeof id !== "string" || id === "" || id.length > 200) {
    const field = `documents[${index}].metadata.id`;
    throw validationFailed({ field, message: `The '${field}' field must be a text of 1 to 200 characters.` });
  }
  return id;
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, sortedKeys(held)] as const).sort(([one], [other]) => (one < other ? -1 : 1)));
}
