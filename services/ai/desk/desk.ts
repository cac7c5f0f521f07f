import { validationFailed } from "../../../mixins/errors.ts";
import type { ManualLinks } from "../links.ts";
import { composeAnswer } from "./compose.ts";
import { isConfirmation, type OpenOffers } from "./confirmation.ts";
import { evidenceOf, partsOf, type Evidence } from "./evidence.ts";
import type { FoundPart, Offer } from "./facts.ts";
import { keyOf } from "./finding.ts";
import { retrieve } from "./retrieval.ts";
import { isForSale, toQueryResponse, type QueryResponse } from "./response.ts";
import type { DeskSources } from "./sources.ts";
import { limitedSources } from "./time-limit.ts";
import { understand } from "./understanding.ts";
import type { ChatModel } from "../chat/port.ts";

export interface DeskQuestion {
  query: string;
  /** Where this question is looked up, under its request id; the desk's own otherwise. */
  sources?: DeskSources;
  includeStoreLink: boolean;
  /** Of whoever asks; without one a "yes" confirms nothing. */
  sessionId?: string;
  /** Nobody waits any more. */
  signal?: AbortSignal;
}

/**
 * What becomes of a question, in this order: pieces of the answer's text; at most once `restart`, where what came before is void, and the text begins
 * again; and `answer`, which ends it.
 */
export type DeskEvent = { event: "text"; data: { text: string } } | { event: "restart"; data: { reason: string } } | { event: "answer"; data: QueryResponse };

export interface DeskOptions {
  sources: DeskSources;
  openOffers: OpenOffers;
  links: ManualLinks;
  storeUrl: string;
  /** Puts answers into words in place of the composer. */
  chat?: ChatModel;
}

export interface Desk {
  /** @throws VALIDATION_FAILED, and what the store throws */
  answer(question: DeskQuestion): AsyncGenerator<DeskEvent, void>;
}

/** Longest that a question is looked up in manuals and the catalog; milliseconds. */
const LOOKING_UP_MS = 6_000;

const NOTHING_OPEN = "There are no parts open to send links for: ask about a part first, with the same X-Session-Id.";
const LINKS_SENT = "Here are the store links, with each part.";
const NO_LINKS_ANY_MORE = "None of these parts can be bought in the store now.";

export function createDesk({ sources: own, openOffers, links, storeUrl, chat }: DeskOptions): Desk {
  const offersOf = async (parts: readonly FoundPart[], sources: DeskSources): Promise<Map<string, Offer>> => {
    const offers = parts.length === 0 ? [] : await sources.offers(parts);
    return new Map(parts.map((part, at) => [keyOf(part), offers[at]!]));
  };

  const gather = async (query: string, sources: DeskSources): Promise<Evidence> => {
    const limited = limitedSources(sources, LOOKING_UP_MS);
    const named = await limited.modelsNamedIn(query);
    const question = understand(query, named);
    const findings = await retrieve(question, limited);
    return evidenceOf(question, findings, await offersOf(partsOf(findings), sources));
  };

  async function* sendLinks(sessionId: string | undefined, sources: DeskSources): AsyncGenerator<DeskEvent, void> {
    const open = sessionId === undefined ? undefined : await openOffers.get(sessionId);
    const parts = open?.parts ?? [];
    const offers = await offersOf(parts, sources);
    const evidence = evidenceOf({ text: "", asks: [] }, [], offers);
    const offered: Evidence = { ...evidence, parts, offerOf: (part) => offers.get(keyOf(part))! };
    const answer = open === undefined ? NOTHING_OPEN : parts.some((part) => isForSale(offered.offerOf(part))) ? LINKS_SENT : NO_LINKS_ANY_MORE;
    yield { event: "text", data: { text: answer } };
    yield { event: "answer", data: toQueryResponse({ answer, parts }, offered, { links, storeUrl, includeStoreLink: true, models: open?.models ?? [] }) };
  }

  return {
    async *answer({ query, includeStoreLink, sessionId, signal, sources = own }) {
      // Blanks alone ask nothing; the rest the contract has checked.
      if (query.trim() === "") throw validationFailed({ field: "query", message: "query field is required" });
      if (isConfirmation(query)) {
        yield* sendLinks(sessionId, sources);
        return;
      }
      const evidence = await gather(query, sources);
      const models = [...new Set(evidence.findings.flatMap(({ ask }) => ask.models.map(({ equipment }) => equipment)))];
      const wording = yield* word(evidence, { chat, sources, signal });
      const response = toQueryResponse(wording, wording.evidence, { links, storeUrl, includeStoreLink, models });
      if (response.needs_confirmation && sessionId !== undefined) await openOffers.keep(sessionId, { parts: wording.parts, models });
      yield { event: "answer", data: response };
    },
  };
}

interface Worded {
  answer: string;
  parts: readonly FoundPart[];
  evidence: Evidence;
}

/** By the chat model where there is one and something to say; by the composer otherwise, and where the model's words do not hold. */
async function* word(evidence: Evidence, { chat, sources, signal }: { chat?: ChatModel; sources: DeskSources; signal?: AbortSignal }): AsyncGenerator<DeskEvent, Worded> {
  let reason: string | undefined;
  if (chat && evidence.findings.some(({ parts, ask }) => parts.length > 0 || ask.models.length > 0)) {
    const said = yield* chat.answer(evidence, { sources, signal });
    if ("answer" in said) return said;
    reason = said.reason;
    if (said.hasSpoken) yield { event: "restart", data: { reason } };
  }
  const composed = composeAnswer(evidence);
  const answer = reason === undefined ? composed : `${composed}\n\n(${reason}: this answer was put together without it, from the manuals and the catalog.)`;
  for (const paragraph of answer.split(/(?<=\n)/)) yield { event: "text", data: { text: paragraph } };
  return { answer, parts: evidence.parts, evidence };
}

/** The end of it: what is answered to who does not follow. */
export async function lastAnswer(events: AsyncIterable<DeskEvent>): Promise<QueryResponse> {
  let last: QueryResponse | undefined;
  for await (const { event, data } of events) if (event === "answer") last = data;
  if (!last) throw new Error("The desk ended without an answer");
  return last;
}
