import { createHash } from "node:crypto";
import type { CollectionDefinition, Document, DocumentStore } from "../../../mixins/document-store/port.ts";
import type { FoundPart } from "./facts.ts";
import { relevanceOf } from "./finding/relevance.ts";
import type { Finding } from "./finding/retrieval.ts";

/** How long "it" and "yes" still mean what was answered. */
const KEPT_MS = 30 * 60_000;
const MOST_PARTS = 10;
const MOST_PLACES = 8;
const MOST_MODELS = 6;

/**
 * What the last answers of a session were about. Words are such alone as the parts' own names have: nothing else that
 * somebody typed is kept.
 */
export interface Remembered {
  models: string[];
  parts: FoundPart[];
  terms: string[];
  /** The last answer asked whether links are wanted. */
  isOpen: boolean;
}

/** The id is a hash: a session's own is a credential. */
interface Conversation extends Document, Remembered {
  expiresAt: Date;
}

export const CONVERSATIONS: CollectionDefinition = {
  name: "ai_conversations",
  fields: { expiresAt: "date" },
  expires: "expiresAt",
};

/** In the document store, so that any node understands the next question. */
export interface Conversations {
  keep(sessionId: string, remembered: Remembered): Promise<void>;
  get(sessionId: string): Promise<Remembered | undefined>;
}

export function createConversations(documents: DocumentStore): Conversations {
  const conversations = documents.collection<Conversation>(CONVERSATIONS);
  const idOf = (sessionId: string): string => createHash("sha256").update(sessionId).digest("hex");
  return {
    async keep(sessionId, remembered) {
      const _id = idOf(sessionId);
      // What is undefined is nothing to a store.
      const kept = JSON.parse(JSON.stringify(remembered)) as Remembered;
      await conversations.replaceOne(
        { _id },
        { _id, ...kept, expiresAt: new Date(Date.now() + KEPT_MS) },
        { upsert: true },
      );
    },
    async get(sessionId) {
      const found = await conversations.findOne({ _id: idOf(sessionId) });
      return found ? { parts: found.parts, models: found.models, terms: found.terms, isOpen: found.isOpen } : undefined;
    },
  };
}

/** What is remembered after an answer; what it did not speak of stays as it was, but for parts of other equipment. */
export function rememberedAfter(
  before: Remembered | undefined,
  { findings, parts, isOpen }: { findings: readonly Finding[]; parts: readonly FoundPart[]; isOpen: boolean },
): Remembered | undefined {
  const models = [...new Set(findings.flatMap(({ ask }) => ask.models.map(({ equipment }) => equipment)))].slice(
    0,
    MOST_MODELS,
  );
  const isAsBefore =
    parts.length === 0 && (models.length === 0 || models.every((model) => before?.models.includes(model)));
  if (parts.length === 0 && models.length === 0 && before === undefined) return undefined;
  const told = findings.findLast((finding) => finding.parts.length > 0);
  const areTheSame = parts.every(({ pnNorm }) => before?.parts.some((part) => part.pnNorm === pnNorm));
  const named = told ? told.ask.terms.filter((term) => told.parts.some((part) => isNamedIn(term, part))) : [];
  return {
    models: models.length > 0 ? models : parts.length > 0 ? [] : (before?.models ?? []),
    parts: isAsBefore
      ? (before?.parts ?? [])
      : parts.slice(0, MOST_PARTS).map((part) => ({ ...part, rows: part.rows.slice(0, MOST_PLACES) })),
    terms: named.length > 0 ? named : isAsBefore || (told && areTheSame) ? (before?.terms ?? []) : [],
    isOpen,
  };
}

function isNamedIn(term: string, { description, rows }: FoundPart): boolean {
  return relevanceOf({ terms: [term] }, { description, schema: rows[0]?.schema }).coverage > 0;
}
