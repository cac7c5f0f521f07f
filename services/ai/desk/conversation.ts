import { createHash } from "node:crypto";
import { fold } from "../../../mixins/fold.ts";
import type { CollectionDefinition, Document, DocumentStore } from "../../../mixins/document-store/port.ts";
import { relevanceOf } from "./names.ts";
import type { FoundPart } from "./port.ts";
import { distinct, isStrangeMachine } from "./question.ts";
import type { Finding } from "./retrieval.ts";
import { cleanText } from "./safe-words.ts";

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

const YES =
  /^(?:yes|yeah|yep|yup|sure|ok(?:ay)?|please(?: do)?|go ahead|of course|absolutely|definitely|ja|jawohl|gerne?|bitte|si|claro|por favor|dale|oui|volontiers|d'accord)\b/;
const ASKS_FOR_LINKS =
  /^(?:(?:please )?(?:send|give|show|share|get)(?: me| us)?|i(?:'d| would)? (?:like|want)|can i have|include)\b.{0,20}\blinks?\b|^(?:the )?links?\b.{0,10}\b(?:please|bitte|por favor)\b/;
const NO = /^(?:no|nope|nah|not now|no need|nein|non)\b/;
const THANKS = /\b(?:thanks?|thx|danke|gracias|merci)\b/;
/** With a yes or a please they are no answer by themselves. */
const ASSENTS =
  /\b(?:yes|yeah|yep|yup|sure|please|go ahead|of course|links?|ja|gerne?|bitte|si|claro|por favor|oui|enlaces?|liens?)\b/;
/** What asks, or denies, and so is beside no yes. */
const IS_NO_YES = /\b(?:is|was|no|not|any|don't|nein|nicht|non|pas)\b/;
/** Words that may stand beside a yes, a no or thanks, and ask nothing. */
const POLITE = new Set(
  `yes yeah yep yup sure ok okay please do go ahead of course absolutely definitely send give show share get include me us
  the those these them store shop links link for all parts part that would be great nice good thanks thank thx you it i'd i
  like want to have can and a with now here in purchase buy both too as well no nope nah not need very much lot i'm am fine
  that's is today any don't right alright perfect cool so many was helpful again your help info information
  ja jawohl gern gerne bitte danke schon vielen dank nein nicht die den link schick schicken sende senden sie mir das ware gut
  si claro por favor dale gracias muchas no los las el enlace enlaces mandame manda enviame envie envieme quiero seria bueno
  oui volontiers d'accord merci beaucoup non pas s'il vous plait le lien les liens envoyez moi envoie je veux bien`.split(
    /\s+/,
  ),
);

/** A text that is nothing but politeness: a yes to the question for store links, or what is said to it. */
export function politenessOf(query: string): "yes" | { remark: string } | undefined {
  const text = fold(cleanText(query)).replace(/^[¡¿\s]+/, "");
  const words = text.match(/[^\s,.!¡¿-]+/g) ?? [];
  if (text.length > 200 || !words.every((word) => POLITE.has(word))) return undefined;
  if (NO.test(text)) return { remark: "All right. Ask about a part or an equipment whenever you like." };
  // `Ok thanks` says yes to nothing.
  if (THANKS.test(text) && !ASSENTS.test(text)) return { remark: "You are welcome." };
  return (YES.test(text) || ASKS_FOR_LINKS.test(text)) && !IS_NO_YES.test(text) ? "yes" : undefined;
}
