import { createHash } from "node:crypto";
import { type CollectionDefinition, type Document, type DocumentStore, isStoreAway } from "@partline/durable";
import {
  deduplicate,
  findMeasure,
  type Intent,
  isAskingTerm,
  isUnknownMachine,
  listModelNames,
  PART_WORDS,
} from "@partline/parts-language/words";
import { isCalled } from "@partline/parts-search";
import { mergeParts } from "./compose.ts";
import type { Finding } from "./finding.ts";
import { deduplicateParts, MOST_MACHINES } from "./parts.ts";
import { describePart, type FoundPart, toPartKey } from "./port.ts";

/** How long "it" and "yes" still mean what was answered. */
const KEPT_MS = 30 * 60_000;
const MOST_PARTS = 10;
const MOST_PLACES = 8;

/**
 * What the last answers of a session were about. Words are those alone that parts' names have: nothing else that
 * somebody typed is kept.
 */
export interface Memory {
  models: string[];
  parts: FoundPart[];
  /** Those before them. */
  former?: FoundPart[];
  /** What was asked for, each by its words: `blade bolt`. */
  terms: string[];
  wanted?: Intent;
  /** What was quoted of it: `torque`. */
  measure?: string;
  /** Of the last question, in which `danke` is answered. */
  language?: string;
  /** The last answer asked whether links are wanted, or gave some: a yes is to it. */
  isOpen: boolean;
  /** Hash of what the asker looked at. */
  lookedAt?: string;
}

/** The id is a hash: a session's own is a credential. */
interface Conversation extends Document, Memory {
  expiresAt: Date;
}

export const CONVERSATIONS: CollectionDefinition = {
  name: "ai_conversations",
  fields: { expiresAt: "date" },
  expires: "expiresAt",
};

/** In the document store, so that any node understands the next question. */
export interface Conversations {
  keep(sessionId: string, remembered: Memory): Promise<void>;
  get(sessionId: string): Promise<Memory | undefined>;
}

/** @param onUnkept gets the error if the store cannot keep a conversation: the answer itself does not need it */
export function createConversations(documents: DocumentStore, onUnkept: (error: unknown) => void): Conversations {
  const conversations = documents.collection<Conversation>(CONVERSATIONS);
  const toConversationId = (sessionId: string): string => createHash("sha256").update(sessionId).digest("hex");
  return {
    async keep(sessionId, memory) {
      const _id = toConversationId(sessionId);
      // What is undefined is nothing to a store.
      const stored = JSON.parse(JSON.stringify(memory)) as Memory;
      const conversation = { _id, ...stored, expiresAt: new Date(Date.now() + KEPT_MS) };
      try {
        await conversations.replaceOne({ _id }, conversation, { upsert: true });
      } catch (error) {
        if (!isStoreAway(error)) throw error;
        onUnkept(error);
      }
    },
    async get(sessionId) {
      const conversation = await conversations.findOne({ _id: toConversationId(sessionId) });
      if (!conversation) return undefined;
      const { _id: _, expiresAt: __, ...memory } = conversation;
      return memory;
    },
  };
}

/**
 * Updates a conversation's memory after an answer. The machine stays until another one is named; the parts stay until
 * others are named, found or not.
 * @param namedModels equipment that the question named
 */
export function updateMemory(
  memory: Memory | undefined,
  findings: readonly Finding[],
  parts: readonly FoundPart[],
  namedModels: readonly string[],
  isOpen: boolean,
): Memory | undefined {
  const rows = parts.flatMap((part) => part.rows);
  // A number may be in one manual alone: that is of its machine.
  const isOfOne = new Set(rows.map(({ sha256 }) => sha256)).size === 1;
  const foundModels = findings.flatMap(({ item }) => item.models);
  const askedModels = deduplicate(
    [foundModels, namedModels, isOfOne ? listModelNames(rows) : []].find(({ length }) => length > 0) ?? [],
  );
  if (parts.length === 0 && askedModels.length === 0 && memory === undefined) return undefined;
  const isOfStranger = findings.some(({ item }) => item.unknownNames.some(isUnknownMachine));
  const { having, direct, quoted, answered } = sortFindings(findings, parts.length > 0);
  const relevantKeys = new Set(
    (direct.length > 0 && direct.length < having.length ? mergeParts(direct) : parts).map(toPartKey),
  );
  const isAsBefore =
    parts.length === 0 && !findings.some(isMissing) && askedModels.every((model) => memory?.models.includes(model));
  const areTheSame = parts.every(({ pnNorm }) => memory?.parts.some((part) => part.pnNorm === pnNorm));
  const terms = deduplicate(answered.map(nameAnswered)).filter((name) => name !== "");
  // In the order of the answer: the second may be asked for.
  const rememberedParts = deduplicateParts([...having.flatMap((finding) => finding.parts), ...parts])
    .filter((part) => relevantKeys.has(toPartKey(part)))
    .slice(0, MOST_PARTS)
    .map((part) => ({ ...part, rows: part.rows.slice(0, MOST_PLACES) }));
  return {
    models: askedModels.length > 0 ? askedModels.slice(0, MOST_MACHINES) : isOfStranger ? [] : (memory?.models ?? []),
    former: isAsBefore || (areTheSame && parts.length === memory?.parts.length) ? memory?.former : memory?.parts,
    parts: isAsBefore ? (memory?.parts ?? []) : rememberedParts,
    terms: terms.length > 0 || !(isAsBefore || (answered.length > 0 && areTheSame)) ? terms : (memory?.terms ?? []),
    wanted: answered.at(-1)?.item.wanted,
    measure: findMeasure(quoted.at(-1)?.item.text ?? "")?.name,
    isOpen,
  };
}

interface SortedFindings {
  having: Finding[];
  /** What was asked for by its name, and not what a symptom may come from, or what is drawn beside it. */
  direct: Finding[];
  /** What text answered, if no part did. */
  quoted: Finding[];
  /** The best of them. */
  answered: readonly Finding[];
}

function sortFindings(findings: readonly Finding[], hasParts: boolean): SortedFindings {
  const having = findings.filter((finding) => finding.parts.length > 0);
  const direct = having.filter(({ item, isBeside }) => !item.symptom && !isBeside);
  // What nothing answered may be asked of another machine, if parts are called so.
  const isNamed = ({ item: { terms }, quotes }: Finding): boolean =>
    quotes.length > 0 || terms.every((term) => isAskingTerm(term) || PART_WORDS.has(term));
  const quoted = hasParts ? [] : findings.filter(isNamed);
  return { having, direct, quoted, answered: [quoted, direct, having].find((group) => group.length > 0) ?? [] };
}

/**
 * Returns whether a finding is of a part that was named and not found: "it" rather means that than what was found
 * before.
 */
function isMissing({ item, quotes }: Finding): boolean {
  return item.terms.some((term) => PART_WORDS.has(term)) && quotes.length === 0 && item.isTold !== true;
}

/** Names what was answered in the words of the question that the answer has: `blade bolt`. */
function nameAnswered({ item, parts, quotes }: Finding): string {
  const names = [...parts.map(describePart), ...quotes.map(({ line }) => line)];
  const isSaid = (term: string): boolean => names.some((name) => isCalled([term], name));
  const isKept = (term: string): boolean => (parts.length === 0 && PART_WORDS.has(term)) || isSaid(term);
  return deduplicate([...item.context.filter(isSaid), ...item.terms.filter(isKept)]).join(" ");
}
