import type { ChatModel } from "../chat/endpoint-model.ts";
import { leftOutOf } from "../chat/left-out.ts";
import { cleanText, foldName } from "@partline/parts-language";
import { marksOf } from "../../../mixins/shop/personal-data.ts";
import { isCalled } from "./names.ts";
import { ANSWER_DEADLINE } from "../limits.ts";
import type { ManualLinks } from "../../shared/manual-links.ts";
import { createLimitedSources, createMemoizedSources } from "../sources/wrappers.ts";
import { cartOf, composeAnswer, lacksOf, leadsOf, notesOf, partsOf, type Evidence } from "./compose.ts";
import { followUp, politenessOf, rememberedAfter, type Conversations, type Remembered } from "./conversation.ts";
import { SAYS } from "./vocabulary.ts";
import { Facts } from "./facts.ts";
import {
  isForSale,
  isUnasked,
  keyOf,
  saidOf,
  UNKNOWN_OFFER,
  type DeskSources,
  type FoundPart,
  type Machine,
  type Offer,
  type Searched,
} from "./port.ts";
import { distinct, namesOf, plainQuestion, readQuestion } from "./question.ts";
import { toQueryResponse, type QueryResponse, type ResponseOptions } from "./response.ts";
import { retrieve, type Finding } from "./retrieval.ts";
import { numberOf, withSuccessors } from "./parts.ts";

export interface DeskQuestion {
  query: string;
  /** Where this question is looked up, under its request id; the desk's own otherwise. */
  sources?: DeskSources;
  includeStoreLink: boolean;
  /** Of the conversation; without one nothing is remembered, and a "yes" confirms nothing. */
  sessionId?: string;
  /** Nobody waits any more. */
  signal?: AbortSignal;
  /** Hears once what it was a search for, if it was one, when it has been looked up. */
  onSearch?(search: LookedFor & { tookMs: number }): void;
}

/**
 * What becomes of a question, in this order: pieces of the answer's text; at most once `restart`, which voids what came
 * before, and the text begins again; and `answer`, which ends it.
 */
export type DeskEvent =
  { event: "text"; data: { text: string } } | { event: "restart"; data: { reason: string } } | AnswerEvent;

export interface AnswerEvent {
  event: "answer";
  data: QueryResponse;
  /** Why the words are not the chat model's, if it was asked for some. */
  modelFailure?: string;
}

export interface DeskOptions {
  sources: DeskSources;
  conversations: Conversations;
  links: ManualLinks;
  storeUrl: string;
  /** Words the answers, instead of the composer. */
  chat?: ChatModel;
}

export interface Desk {
  /** @throws VALIDATION_FAILED, and what the store throws */
  answer(question: DeskQuestion): AsyncGenerator<DeskEvent, void>;
}

/** Longest that a question is looked up in manuals and the catalog; milliseconds. */
const LOOKING_UP_MS = 6_000;
/** For what replaces the parts that cannot be bought; milliseconds. */
const REPLACING_MS = 2_000;

const NOTHING_OPEN = "There are no parts to send links for: ask about a part first.";
const NOTHING_REMEMBERED =
  "I don't know which parts you mean. Ask about them again, with include_store_link set to true.";
const LINKS_SENT = "Here are the store links, with each part.";
const NO_LINKS_ANY_MORE = "None of these parts can be bought in the store now.";
const LINKS_UNKNOWN = "Whether these parts can be bought could not be checked: say yes again in a moment.";

export function createDesk({ sources: own, conversations, links, storeUrl, chat }: DeskOptions): Desk {
  const answerWith = (
    answer: string,
    parts: readonly FoundPart[] = [],
    offers: ReadonlyMap<string, Offer> = new Map(),
    asked: Partial<ResponseOptions> = {},
  ): AnswerEvent => ({
    event: "answer",
    data: toQueryResponse(answer, parts, offers, {
      links,
      storeUrl,
      includeStoreLink: false,
      isRemembered: false,
      models: [],
      ...asked,
    }),
  });

  async function* sendLinks(
    before: Remembered | undefined,
    sources: DeskSources,
    nothingOpen: string,
  ): AsyncGenerator<DeskEvent, void> {
    const { parts, models } = before?.isOpen === true ? before : { parts: [], models: [] };
    const offers = await offersOf(parts, sources);
    const some = (holds: (offer: Offer) => boolean): boolean => [...offers.values()].some(holds);
    const sent = some(isForSale) ? LINKS_SENT : some(isUnasked) ? LINKS_UNKNOWN : NO_LINKS_ANY_MORE;
    const answer = before?.isOpen === true ? sent : nothingOpen;
    yield { event: "text", data: { text: answer } };
    yield answerWith(answer, parts, offers, { models, includeStoreLink: true });
  }

  return {
    async *answer(asked) {
      const { query, includeStoreLink, sessionId, signal, sources = own } = asked;
      const before = sessionId === undefined ? undefined : await conversations.get(sessionId);
      const polite = politenessOf(query);
      if (polite === "yes") {
        yield* sendLinks(before, sources, sessionId === undefined ? NOTHING_REMEMBERED : NOTHING_OPEN);
        return;
      }
      if (polite) {
        // A yes is to the last answer.
        if (before?.isOpen && sessionId !== undefined)
          await conversations.keep(sessionId, { ...before, isOpen: false });
        yield { event: "text", data: { text: polite.remark } };
        yield answerWith(polite.remark);
        return;
      }
      const failed = new Set<Searched>();
      const once = createMemoizedSources(sources);
      const evidence = await gather(asked, before, once, failed);
      const models = distinct(evidence.findings.flatMap(({ item }) => item.models));
      const facts = new Facts(links, models);
      for (const part of evidence.parts) facts.part(part, evidence.offers.get(keyOf(part)) ?? UNKNOWN_OFFER);
      for (const quote of evidence.findings.flatMap(({ quotes }) => quotes)) facts.quote(quote);
      const look = createLimitedSources(once, ANSWER_DEADLINE, failed);
      const { answer, parts, modelFailure } = yield* word(evidence, facts, chat, look, signal);
      const offers = new Map(facts.parts.map(({ part, offer }) => [keyOf(part), offer]));
      const { asksForCart, asksForOrder, text } = evidence.question;
      const last = answerWith(answer, parts, offers, {
        models,
        includeStoreLink,
        isRemembered: sessionId !== undefined,
        cart: asksForCart ? cartOf(evidence) : [],
        ...(asksForOrder && !asksForCart && { order: { id: SAYS["order id"].exec(text)?.[1] } }),
      });
      const isOpen = last.data.parts.some((part) => part.available_for_purchase);
      const remembered = rememberedAfter(before, evidence.findings, parts, evidence.question.models, isOpen);
      if (remembered && sessionId !== undefined) await conversations.keep(sessionId, remembered);
      yield { ...last, ...(modelFailure !== undefined && { modelFailure }) };
    },
  };
}

async function offersOf(parts: readonly FoundPart[], sources: DeskSources): Promise<Map<string, Offer>> {
  const offers = parts.length === 0 ? [] : await sources.offers(parts);
  return new Map(parts.map((part, at) => [keyOf(part), offers[at]!]));
}

async function gather(
  { query, onSearch }: DeskQuestion,
  before: Remembered | undefined,
  sources: DeskSources,
  failed: Set<Searched>,
): Promise<Evidence> {
  const startedAt = performance.now();
  const limited = createLimitedSources(sources, LOOKING_UP_MS, failed);
  const text = plainQuestion(query);
  const question = followUp(readQuestion(text, await limited.machinesIn(text)), before);
  const retrieved = question.asksForMachines ? [] : await retrieve(question, limited);
  // What is asked for by its name is answered before what a symptom may come from.
  const found = [...retrieved.filter(({ item }) => !item.symptom), ...retrieved.filter(({ item }) => item.symptom)];
  const search = question.items.length > 0 ? lookedFor(query, found, failed) : undefined;
  if (search) onSearch?.({ ...search, tookMs: performance.now() - startedAt });
  const offers = await offersOf(partsOf(found), sources);
  const notReplaced = new Set<Searched>();
  const replaced = await withSuccessors(found, offers, createLimitedSources(sources, REPLACING_MS, notReplaced));
  const findings = replaced.map((each) => (notReplaced.size > 0 ? { ...each, isReplacementUnknown: true } : each));
  const parts = partsOf(findings);
  const others = await offersOf(
    parts.filter((part) => !offers.has(keyOf(part))),
    sources,
  );
  const machines = question.asksForMachines && namesOf(ofMaker(await limited.allMachines(), text)).sort();
  const typed = new Set(wordsOf(query));
  return {
    question,
    findings,
    parts,
    offers: new Map([...offers, ...others]),
    failed,
    translated: new Set(wordsOf(text).filter((each) => !typed.has(each))),
    ...(machines && { machines }),
  };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/[^\p{L}\p{M}]+/u);
}

/** Of the makers that a text names, if it does. */
function ofMaker(machines: readonly Machine[], text: string): readonly Machine[] {
  const name = foldName(text);
  const own = machines.filter(({ manufacturer = "" }) => manufacturer !== "" && name.includes(foldName(manufacturer)));
  return own.length > 0 ? own : machines;
}

interface Worded {
  answer: string;
  parts: readonly FoundPart[];
  modelFailure?: string;
}

/** By the chat model if there is one and something to say, and its words hold; else by the composer. */
async function* word(
  evidence: Evidence,
  facts: Facts,
  chat: ChatModel | undefined,
  sources: DeskSources,
  signal: AbortSignal | undefined,
): AsyncGenerator<DeskEvent, Worded> {
  const { findings, failed } = evidence;
  const isWorthIt = findings.some(({ parts, quotes, item }) => parts.length + quotes.length + item.models.length > 0);
  let modelFailure: string | undefined;
  if (chat && isWorthIt) {
    const lead = leadsOf(evidence, facts).map((text) => facts.fill(text));
    const said = yield* chat.answer(evidence, facts, { sources, lead: lead.join("\n\n"), signal });
    if ("answer" in said) {
      const tail = [...leftOutOf(evidence, said.sentences, facts), ...notesOf(evidence, facts)];
      const named = facts.partsIn([said.sentences, ...tail].join(" "));
      const offers = named.map(({ offer }) => offer);
      const behind = [...tail.map((text) => facts.fill(text)), ...lacksOf(failed, offers)];
      const text = behind.map((each) => `\n\n${each}`).join("");
      if (text !== "") yield { event: "text", data: { text } };
      return { answer: said.answer + text, parts: named.map(({ part }) => part) };
    }
    modelFailure = said.reason;
    if (said.hasSpoken) yield { event: "restart", data: { reason: modelFailure } };
  }
  const without = `(${modelFailure}: this answer was put together without it, from the manuals and the catalog.)`;
  const answer = [
    facts.fill(composeAnswer(evidence, facts)),
    ...lacksOf(failed, [...evidence.offers.values()]),
    ...(modelFailure === undefined ? [] : [without]),
  ].join("\n\n");
  for (const paragraph of answer.split(/(?<=\n)/)) yield { event: "text", data: { text: paragraph } };
  return { answer, parts: evidence.parts, ...(modelFailure !== undefined && { modelFailure }) };
}

export interface LookedFor {
  query: string;
  /** Parts. */
  resultsCount: number;
}

/**
 * What is kept of a question (docs/decisions/0012-what-is-kept-of-a-search.md): the numbers or words of it that found
 * parts; if none did, all of it, or the marks alone of what may not be kept, since a name and an address stand beside
 * those. Undefined if nothing was looked up, or not all that could be.
 */
function lookedFor(typed: string, findings: readonly Finding[], failed: ReadonlySet<Searched>): LookedFor | undefined {
  const found = partsOf(findings);
  if (found.length > 0) return { query: distinct(findings.flatMap(thatFound)).join(" "), resultsCount: found.length };
  if (findings.length === 0 || failed.size > 0) return undefined;
  const text = cleanText(typed);
  return { query: marksOf(text) ?? text, resultsCount: 0 };
}

/** A number as the part has it, which is nobody's but the part's; else the question's own words. */
function thatFound({ item: { mentions, terms, models }, parts }: Finding): string[] {
  const numbers = parts.filter((part) => mentions.some(({ pnNorm }) => pnNorm.endsWith(numberOf(part))));
  if (parts.length === 0 || numbers.length > 0) return numbers.map(({ partNumber }) => partNumber);
  const words = [...terms.filter((term) => parts.some((part) => isCalled([term], saidOf(part)))), ...models];
  // A number with a slip, a vector: none of the question's own words.
  return words.length > 0 ? words : [parts[0]!.partNumber];
}

export async function lastEvent(events: AsyncIterable<DeskEvent>): Promise<AnswerEvent> {
  for await (const event of events) if (event.event === "answer") return event;
  throw new Error("The desk ended without an answer");
}

/** The answer for a client that does not follow the events. */
export async function lastAnswer(events: AsyncIterable<DeskEvent>): Promise<QueryResponse> {
  return (await lastEvent(events)).data;
}
