import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { KeyedQueue, toSortedJson, ulid } from "@partline/toolkit";
import type { Params, Result } from "@partline/api-contracts";
import { invalidField, PartlineError } from "../../mixins/errors.ts";
import { LEXICAL } from "../../mixins/embeddings/port.ts";
import {
  type Appended,
  hasEventLogCode,
  isTooLarge,
  LARGEST_EVENT_BYTES,
  type NewEvent,
  type StoredEvent,
} from "@partline/durable";
import type { eventstoreContract } from "./contract.ts";

type Store = typeof eventstoreContract.actions.store;
type NewDocument = Params<Store>["documents"][number];
type StoredDocument = Result<Store>["documents"][number];

interface DocumentLog {
  /** The newest event of an aggregate; one of a document holds all of it. */
  findLast(id: string): Promise<StoredEvent | undefined>;
  append(event: NewEvent): Promise<Appended>;
}

/** The parts desk, which quotes public documents. */
interface Desk {
  learn(document: { id: string; content: string }): Promise<void>;
  forget(document: { id: string }): Promise<void>;
}

interface Candidate {
  id: string;
  isPublic: boolean;
  field: string;
  data: { content: string; metadata: Record<string, unknown>; embedding_model: string };
}

const MAX_ID_LENGTH = 200;

/** Maximum number of rounds; in each, one of several concurrent changes of a document succeeds. */
const MAX_ROUNDS = 100;

interface Recorder {
  log: DocumentLog;
  /** Model of the vectors of public documents. */
  model: string;
  /** Enqueues the task that ends in `settleDocument`: due now, or once the document is surely recorded or not. */
  enqueueSettling(id: string, when: "now" | "later"): Promise<void>;
}

/**
 * Records new and changed documents, those with one id one after another. A task has the desk quote public ones, and
 * forget those public no more. All are checked before the first is recorded; if one fails after that, the others are
 * recorded.
 * @throws VALIDATION_FAILED for one that is too large, or with an id of another aggregate; VERSION_CONFLICT; what the
 * log and `enqueueSettling` throw
 */
export async function storeDocuments(
  documents: readonly NewDocument[],
  { log, model, enqueueSettling }: Recorder,
): Promise<{ stored: number; documents: StoredDocument[] }> {
  const candidates = documents.map((document, index) => toCandidate(document, index, model));
  await Promise.all(candidates.map((candidate) => findLastEvent(candidate, log)));
  const queue = new KeyedQueue();
  const outcomes = await Promise.allSettled(
    candidates.map((candidate) =>
      queue.run(candidate.id, async () => {
        const { id, isPublic } = candidate;
        const last = await findLastEvent(candidate, log);
        if (!isPublic && !(last && mayBeQuoted(last))) return storeDocument(candidate, log);
        // The log and the tasks are two stores: the process may die between them.
        await enqueueSettling(id, "later");
        const stored = await storeDocument(candidate, log);
        await enqueueSettling(id, "now");
        return stored;
      }),
    ),
  );
  const stored = outcomes.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
  return {
    stored: stored.filter(({ recorded }) => recorded).length,
    documents: stored.map(({ recorded: _, ...document }) => document),
  };
}

/**
 * Has the desk quote what the log says of a document. It ends when the version that was read before the desk's change
 * is still the newest after it: of several at once, the last leaves the newest. @throws what the log and the desk throw
 */
export async function settleDocument(id: string, log: Pick<DocumentLog, "findLast">, desk: Desk): Promise<void> {
  for (let last = await log.findLast(id); ;) {
    const { content, metadata } = (last?.data ?? {}) as { content?: string; metadata?: { public?: unknown } };
    if (last && isDocumentEvent(last) && metadata?.public === true) await desk.learn({ id, content: content! });
    else await desk.forget({ id });
    const now = await log.findLast(id);
    if (now?.version === last?.version) return;
    last = now;
  }
}

/** @throws VERSION_CONFLICT; what the log throws */
async function storeDocument(candidate: Candidate, log: DocumentLog): Promise<StoredDocument & { recorded: boolean }> {
  const { id, data } = candidate;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const last = await findLastEvent(candidate, log);
    const omitModel = (document: object) => ({ ...document, embedding_model: null });
    if (last && isDocumentEvent(last) && isDeepStrictEqual(omitModel(last.data), omitModel(data)))
      return { id, event_id: last.event_id, version: last.version, recorded: false };
    try {
      const { event_id, version } = await log.append({
        event_id: ulid(),
        aggregate_id: id,
        aggregate_type: "document",
        event_type: last ? "DOCUMENT_UPDATED" : "DOCUMENT_CREATED",
        data,
        timestamp: new Date(),
        expected_version: last?.version ?? 0,
      });
      return { id, event_id, version, recorded: true };
    } catch (error) {
      if (!hasEventLogCode(error, "VERSION_CONFLICT")) throw error;
    }
  }
  throw new PartlineError("VERSION_CONFLICT", "Too many requests are changing this document; try again");
}

/**
 * Finds the newest event of a document.
 * @throws VALIDATION_FAILED when the id is of an aggregate that is no document
 */
async function findLastEvent({ id, field }: Candidate, log: DocumentLog): Promise<StoredEvent | undefined> {
  const last = await log.findLast(id);
  if (last && last.aggregate_type !== "document")
    throw invalidField(`${field}.metadata.id`, "must not be the id of an aggregate of another type");
  return last;
}

/** Returns whether the desk may quote a document; a caller's own event does not say what the document was before it. */
function mayBeQuoted(last: StoredEvent): boolean {
  const { metadata } = last.data as { metadata?: { public?: unknown } };
  return !isDocumentEvent(last) || metadata?.public === true;
}

/** Returns whether an event holds all of a document: callers may append events of their own to it. */
function isDocumentEvent({ event_type }: StoredEvent): boolean {
  return event_type === "DOCUMENT_CREATED" || event_type === "DOCUMENT_UPDATED";
}

function toCandidate({ content, metadata = {} }: NewDocument, index: number, model: string): Candidate {
  const field = `documents[${index}]`;
  const text = JSON.stringify({ content, metadata });
  if (isTooLarge({ data: text, metadata: "{}" }))
    throw invalidField(field, `must have at most ${LARGEST_EVENT_BYTES / 1024} KiB of content and metadata`);
  const isPublic = metadata.public === true;
  const embedding_model = isPublic ? model : LEXICAL;
  const data = { ...(JSON.parse(text) as Pick<Candidate["data"], "content" | "metadata">), embedding_model };
  return { id: toDocumentId(content, metadata), isPublic, field, data };
}

/** Returns the caller's own id as a text of 1 to 200 characters, or one made from the document where it gives none. */
export function toDocumentId(content: string, metadata: Record<string, unknown>): string {
  const { id = null } = metadata;
  if (id === null || id === "") return hashToId([content, metadata]);
  const text = typeof id === "string" ? id : toSortedJson(id);
  return text.length > MAX_ID_LENGTH ? hashToId(id) : text;
}

function hashToId(value: unknown): string {
  return `doc_${hash("sha256", toSortedJson(value)).slice(0, 32)}`;
}
