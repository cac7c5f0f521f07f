import { createHash } from "node:crypto";
import type { CollectionDefinition, Document, DocumentStore } from "../../../mixins/document-store/port.ts";
import type { FoundPart } from "./facts.ts";
import { cleanText } from "./clean-text.ts";

/** How long "yes" still means the links of what was answered. */
const KEPT_MS = 30 * 60_000;

/** The parts that a session was last asked about, so that any node understands its "yes". The id is a hash: a session's own is a credential. */
interface OpenOffer extends Document {
  parts: FoundPart[];
  models: string[];
  expiresAt: Date;
}

export const OPEN_OFFERS: CollectionDefinition = { name: "ai_open_offers", fields: { expiresAt: "date" }, expires: "expiresAt" };

export interface OpenOffers {
  keep(sessionId: string, offer: { parts: readonly FoundPart[]; models: readonly string[] }): Promise<void>;
  get(sessionId: string): Promise<{ parts: FoundPart[]; models: string[] } | undefined>;
}

export function createOpenOffers(documents: DocumentStore): OpenOffers {
  const offers = documents.collection<OpenOffer>(OPEN_OFFERS);
  const idOf = (sessionId: string): string => createHash("sha256").update(sessionId).digest("hex");
  return {
    async keep(sessionId, { parts, models }) {
      const _id = idOf(sessionId);
      // What is undefined is nothing to a store.
      const kept = JSON.parse(JSON.stringify(parts)) as FoundPart[];
      await offers.replaceOne({ _id }, { _id, parts: kept, models: [...models], expiresAt: new Date(Date.now() + KEPT_MS) }, { upsert: true });
    },
    async get(sessionId) {
      const found = await offers.findOne({ _id: idOf(sessionId) });
      return found ? { parts: found.parts, models: found.models } : undefined;
    },
  };
}

const YES = /^(?:yes|yeah|yep|yup|sure|ok(?:ay)?|please(?: do)?|go ahead|of course|absolutely|definitely)\b/i;
const ASKS_FOR_LINKS = /^(?:(?:please )?(?:send|give|show|share|get)(?: me| us)?|i(?:'d| would)? (?:like|want)|can i have|include)\b.{0,20}\blinks?\b/i;
/** What may stand beside a yes. */
const BESIDE = /\b(?:yes|yeah|yep|yup|sure|ok|okay|please|do|go|ahead|of|course|absolutely|definitely|send|give|show|share|get|include|me|us|the|those|these|them|store|shop|links?|link|for|all|parts?|that|would|be|great|nice|good|thanks|thank|you|it|i'd|i|like|want|to|have|can|and|a|with|now|here|in|purchase|buy|both|too|as|well)\b/gi;

/** Whether a text says yes to the question for store links, and asks nothing besides. */
export function isConfirmation(query: string): boolean {
  const text = cleanText(query);
  if (text.length > 200 || !(YES.test(text) || ASKS_FOR_LINKS.test(text))) return false;
  return text.replace(BESIDE, "").replace(/[\s,.!'-]+/g, "") === "";
}
