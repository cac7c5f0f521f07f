import { createHash } from "node:crypto";
import { fold } from "../../../mixins/fold.ts";
import type { CollectionDefinition, Document, DocumentStore } from "../../../mixins/document-store/port.ts";
import { relevanceOf } from "./names.ts";
import type { FoundPart } from "./port.ts";
import { distinct, isStrangeMachine } from "./question.ts";
import type { Finding } from "./retrieval.ts";
import { cleanText } from "../../../mixins/safe-words.ts";
import { SAYS, listOf } from "./words.ts";

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

interface Answered {
  findings: readonly Finding[];
  /** Equipment that the question named. */
  models: readonly string[];
  parts: readonly FoundPart[];
  isOpen: boolean;
}

/**
 * What is remembered after an answer. The machine stays until another one is named; the parts stay until others are
 * found.
 */
export function rememberedAfter(
  before: Remembered | undefined,
  { findings, models, parts, isOpen }: Answered,
): Remembered | undefined {
  const found = findings.flatMap(({ item }) => item.models);
  const asked = distinct(found.length > 0 ? found : models);
  const isOfStranger = findings.some(({ strangers }) => strangers.some(isStrangeMachine));
  if (parts.length === 0 && asked.length === 0 && before === undefined) return undefined;
  const told = findings.findLast((finding) => finding.parts.length > 0);
  const isAsBefore = parts.length === 0 && asked.every((model) => before?.models.includes(model));
  const areTheSame = parts.every(({ pnNorm }) => before?.parts.some((part) => part.pnNorm === pnNorm));
  const named = told?.item.terms.filter((term) => told.parts.some((part) => isNamedIn(term, part))) ?? [];
  return {
    models: asked.length > 0 ? asked.slice(0, MOST_MODELS) : isOfStranger ? [] : (before?.models ?? []),
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

const POLITE = listOf("polite");

/** A text that is nothing but politeness: a yes to the question for store links, or what is said to it. */
export function politenessOf(query: string): "yes" | { remark: string } | undefined {
  const text = fold(cleanText(query)).replace(/^[¡¿\s]+/, "");
  const words = text.match(/[^\s,.!¡¿-]+/g) ?? [];
  if (text.length > 200 || !words.every((word) => POLITE.has(word))) return undefined;
  if (SAYS.no.test(text)) return { remark: "All right. Ask about a part or an equipment whenever you like." };
  // `Ok thanks` says yes to nothing.
  if (SAYS.thanks.test(text) && !SAYS.assents.test(text)) return { remark: "You are welcome." };
  return (SAYS.yes.test(text) || SAYS["asks for links"].test(text)) && !SAYS["is no yes"].test(text)
    ? "yes"
    : undefined;
}
