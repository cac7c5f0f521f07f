import { isCalled } from "@partline/parts-search";
import {
  SAYS,
  deduplicate,
  findMeasure,
  isUnknownMachine,
  listModelNames,
  normalizeQuestion,
  understand,
} from "@partline/parts-language/words";
import { getAt } from "@partline/toolkit";
import type { ChatModel } from "./chat/endpoint-model.ts";
import { listOmissions } from "./chat/left-out.ts";
import { createHash } from "node:crypto";
import { cleanText, foldName, isByWeight, listMarks, sortByOrder, toCents } from "@partline/parts-language";
import { createLimitedSources, createMemoizedSources } from "./source-wrappers.ts";
import { listCartWishes, composeAnswer, renderOutages, renderLeads, renderNotes, mergeParts } from "./compose.ts";
import type { Evidence } from "./evidence.ts";
import { detectPoliteness, followUp } from "./conversation.ts";
import { type Conversations, type Memory, updateMemory } from "./memory.ts";
import { Facts } from "./facts.ts";
import {
  isForSale,
  isUnasked,
  toPartKey,
  describePart,
  UNKNOWN_OFFER,
  type DeskSources,
  type FoundPart,
  type Machine,
  type ManualLinks,
  type Offer,
  type Searched,
} from "./port.ts";
import { toQueryResponse, type QueryResponse, type ResponseOptions } from "./response.ts";
import { isByOffer } from "./find.ts";
import { findMachines } from "./machines.ts";
import { retrieve } from "./retrieval.ts";
import { type Finding, isFound } from "./finding.ts";
import { deduplicateParts, toPnNorm, withSuccessors } from "./parts.ts";
import { getTexts, type ShopContact, type Texts, withContact } from "./texts.ts";
import type { AnswerEvent, DeskEvent } from "./desk-event.ts";

/** What the asker looks at while they ask, as typed or as a page has it. */
export interface LookedAt {
  /** A part number, with its maker or without. */
  part?: string;
  equipment?: string;
}

export interface DeskQuestion {
  query: string;
  /** "It" and "my machine" are of this, until the conversation goes on to others. */
  about?: LookedAt;
  /** Where this question is looked up, under its request id; the desk's own otherwise. */
  sources?: DeskSources;
  includeStoreLink: boolean;
  /** Of the conversation; without one nothing is remembered, and a "yes" confirms nothing. */
  sessionId?: string;
  /** Nobody waits any more. */
  signal?: AbortSignal;
  /** Hears once what it was a search for, if it was one, when it has been looked up. */
  onSearch?(search: SearchRecord & { tookMs: number }): void;
}

export interface DeskOptions {
  sources: DeskSources;
  conversations: Conversations;
  links: ManualLinks;
  storeUrl: string;
  /** What the shop says of itself now. */
  getContact?: () => ShopContact;
  /** Words the answers, instead of the composer. */
  chat?: ChatModel;
  /** Maximum time of an answer, milliseconds: look-ups and the longest model timeout. */
  deadlineMs: number;
  /** The error of a question whose manuals could not be read in time. */
  whenLate: () => Error;
}

export interface Desk {
  /** @throws VALIDATION_FAILED, and what the store throws */
  answer(question: DeskQuestion): AsyncGenerator<DeskEvent, void>;
}

/** Longest that a question is looked up in manuals and the catalog; milliseconds. */
const LOOKING_UP_MS = 6_000;
/** For what replaces the parts that cannot be bought; milliseconds. */
const REPLACING_MS = 2_000;

export function createDesk({
  sources: deskSources,
  conversations,
  links,
  storeUrl,
  getContact,
  chat,
  deadlineMs,
  whenLate,
}: DeskOptions): Desk {
  const speak = (language: string): Texts =>
    getContact ? withContact(getTexts(language), getContact()) : getTexts(language);
  const answerWith = (
    texts: Texts,
    answer: string,
    parts: readonly FoundPart[] = [],
    offers: ReadonlyMap<string, Offer> = new Map(),
    options: Partial<ResponseOptions> = {},
  ): AnswerEvent => ({
    event: "answer",
    data: toQueryResponse(answer, parts, offers, {
      links,
      storeUrl,
      includeStoreLink: false,
      isRemembered: false,
      models: [],
      texts,
      ...options,
    }),
  });

  async function* sendLinks(
    memory: Memory | undefined,
    sources: DeskSources,
    texts: Texts,
    nothingOpen: string,
  ): AsyncGenerator<DeskEvent, void> {
    const { parts, models } = memory?.isOpen === true ? memory : { parts: [], models: [] };
    const offers = await loadOffers(parts, sources);
    const hasOffer = (holds: (offer: Offer) => boolean): boolean => [...offers.values()].some(holds);
    const reply = hasOffer(isForSale)
      ? texts["links sent"]
      : texts[hasOffer(isUnasked) ? "links unknown" : "no links any more"];
    const answer = memory?.isOpen === true ? reply : nothingOpen;
    yield { event: "text", data: { text: answer } };
    yield answerWith(texts, answer, parts, offers, { models, includeStoreLink: true });
  }

  return {
    async *answer(question) {
      const { query, includeStoreLink, sessionId, signal, sources = deskSources, about = {} } = question;
      let memory = sessionId === undefined ? undefined : await conversations.get(sessionId);
      const { text, language } = normalizeQuestion(query);
      const texts = speak(language === "en" ? (memory?.language ?? language) : language);
      const polite = detectPoliteness(query);
      if (polite === "yes") {
        const nothingOpen = texts[sessionId === undefined ? "nothing remembered" : "nothing to link"];
        yield* sendLinks(memory, sources, texts, nothingOpen);
        return;
      }
      if (polite) {
        // A yes is to the last answer.
        if (memory?.isOpen && sessionId !== undefined)
          await conversations.keep(sessionId, { ...memory, isOpen: false });
        const reply = texts[polite.reply];
        yield { event: "text", data: { text: reply } };
        yield answerWith(texts, reply);
        return;
      }
      const failed = new Set<Searched>();
      const once = createMemoizedSources(sources);
      const lookedAt = hashLookedAt(about);
      if (lookedAt !== undefined && lookedAt !== memory?.lookedAt)
        memory = await lookAt(about, memory, createLimitedSources(once, LOOKING_UP_MS, new Set(), whenLate));
      const gathered = await gather(question, { text, language }, memory, once, failed, whenLate);
      const evidence: Evidence = { ...gathered, texts: speak(gathered.question.language) };
      const models = deduplicate(evidence.findings.flatMap(({ item }) => item.models));
      const facts = new Facts(links, models, evidence.texts);
      for (const part of evidence.parts) facts.addPart(part, evidence.offers.get(toPartKey(part)) ?? UNKNOWN_OFFER);
      for (const quote of evidence.findings.flatMap(({ quotes }) => quotes)) facts.addQuote(quote);
      const look = createLimitedSources(once, deadlineMs, failed, whenLate);
      const { answer, parts, modelFailure } = yield* writeAnswer(evidence, facts, chat, look, signal);
      const offers = new Map(facts.parts.map(({ part, offer }) => [toPartKey(part), offer]));
      const { asksForCart, asksForOrder } = evidence.question;
      const last = answerWith(evidence.texts, answer, parts, offers, {
        models,
        includeStoreLink,
        isRemembered: sessionId !== undefined,
        cart: asksForCart ? listCartWishes(evidence) : [],
        ...(asksForOrder && !asksForCart && { order: { id: SAYS["order id"].exec(evidence.question.text)?.[1] } }),
      });
      const isOpen = last.data.parts.some((part) => part.available_for_purchase);
      const updatedMemory = updateMemory(memory, evidence.findings, parts, evidence.question.models, isOpen);
      if (updatedMemory && sessionId !== undefined)
        await conversations.keep(sessionId, {
          ...updatedMemory,
          language: evidence.question.language,
          lookedAt: lookedAt ?? memory?.lookedAt,
        });
      yield { ...last, ...(modelFailure !== undefined && { modelFailure }) };
    },
  };
}

async function loadOffers(parts: readonly FoundPart[], sources: DeskSources): Promise<Map<string, Offer>> {
  const offers = parts.length === 0 ? [] : await sources.offers(parts);
  return new Map(parts.map((part, index) => [toPartKey(part), getAt(offers, index)]));
}

function hashLookedAt({ part, equipment }: LookedAt): string | undefined {
  if (part === undefined && equipment === undefined) return undefined;
  return createHash("sha256")
    .update(JSON.stringify([part, equipment]))
    .digest("base64url");
}

/** Returns the memory of somebody who has turned to a part or a machine, as if they had asked for it. */
async function lookAt(
  { part = "", equipment = "" }: LookedAt,
  memory: Memory | undefined,
  sources: DeskSources,
): Promise<Memory | undefined> {
  const mentions = await findMachines(equipment, sources);
  const models = mentions.flatMap((mention) => (mention.how === "named" ? listModelNames(mention.models) : []));
  const question = understand(normalizeQuestion(part).text, [], "en");
  // `Briggs & Stratton 590503` is one part: a maker's name asks for nothing of its own.
  const items = question.items.filter(({ mentions: numbers }) => numbers.length > 0);
  const findings = items.length > 0 ? await retrieve({ ...question, items }, sources) : [];
  const parts = mergeParts(findings);
  if (models.length + parts.length === 0) return memory;
  const nextMemory = updateMemory(memory, findings, parts, models, memory?.isOpen ?? false);
  return nextMemory && { ...nextMemory, language: memory?.language };
}

/**
 * Finds the machines of a question. A measure may be asked of a manual by its title, which is in the manual's own
 * language: then the title stands behind the other words.
 */
async function findOwnMachines(query: string, text: string, language: string, sources: DeskSources) {
  const mentions = await findMachines(text, sources);
  if (language === "en" || mentions.length > 0 || !findMeasure(text)) return { text, mentions };
  const typed = await findMachines(query, sources);
  const [first] = typed;
  if (!first) return { text, mentions };
  const rest = typed.reduceRight((left, { from, to }) => `${left.slice(0, from)} ${left.slice(to)}`, query);
  const front = `${normalizeQuestion(rest).text.replace(/[\s?.]+$/, "")} for `;
  const models = typed.flatMap((mention) => mention.models);
  const name = getAt(models, 0).equipment;
  return {
    text: `${front}${name}`,
    mentions: [{ ...first, models, from: front.length, to: front.length + name.length }],
  };
}

async function gather(
  { query, onSearch }: DeskQuestion,
  { text: typedText, language }: ReturnType<typeof normalizeQuestion>,
  memory: Memory | undefined,
  sources: DeskSources,
  failed: Set<Searched>,
  whenLate: () => Error,
): Promise<Omit<Evidence, "texts">> {
  const startedAt = performance.now();
  const limited = createLimitedSources(sources, LOOKING_UP_MS, failed, whenLate);
  const { text, mentions } = await findOwnMachines(query, typedText, language, limited);
  const understood = understand(text, mentions, language);
  const items = understood.items.map((item) => ({ ...item, ...(language !== "en" && { typed: query }) }));
  const question = followUp({ ...understood, items }, memory);
  const retrieved = question.asksForMachines ? [] : await retrieve(question, limited);
  // What is asked for by its name is answered before what a symptom may come from.
  const orderedFindings = [
    ...retrieved.filter(({ item }) => !item.symptom),
    ...retrieved.filter(({ item }) => item.symptom),
  ];
  const search = question.items.length > 0 ? toSearchRecord(query, orderedFindings, failed) : undefined;
  if (search) onSearch?.({ ...search, tookMs: performance.now() - startedAt });
  const weighedParts = orderedFindings.some(isWeighed)
    ? deduplicateParts(orderedFindings.flatMap(({ parts }) => parts))
    : mergeParts(orderedFindings);
  const offers = await loadOffers(weighedParts, sources);
  const metFindings = orderedFindings.map((finding) =>
    isWeighed(finding) ? keepMet(finding, offers) : putAvailableFirst(finding, offers),
  );
  const notReplaced = new Set<Searched>();
  const replaced = await withSuccessors(
    metFindings,
    offers,
    createLimitedSources(sources, REPLACING_MS, notReplaced, whenLate),
  );
  const findings = replaced.map((finding) =>
    notReplaced.size > 0 ? { ...finding, isReplacementUnknown: true } : finding,
  );
  const parts = mergeParts(findings);
  const successorOffers = await loadOffers(
    parts.filter((part) => !offers.has(toPartKey(part))),
    sources,
  );
  const machines = question.asksForMachines && listModelNames(filterByMaker(await limited.listMachines(), text)).sort();
  const typed = new Set(splitWords(query));
  const nameWords = mentions.flatMap(({ from, to }) => splitWords(text.slice(from, to)));
  const isOfUnknown = findings.some(({ item }) => item.unknownNames.some(isUnknownMachine));
  const nameless = isOfUnknown ? (await limited.listMachines()).filter(({ isTitle }) => isTitle) : [];
  const deniedModels = new Set(findings.flatMap((finding) => (isFound(finding) ? [] : finding.item.models)));
  const deniedMachines =
    deniedModels.size > 0 ? (await limited.listMachines()).filter(({ equipment }) => deniedModels.has(equipment)) : [];
  return {
    question,
    findings,
    parts,
    offers: new Map([...offers, ...successorOffers]),
    failed,
    translated: new Set([...splitWords(text).filter((term) => !typed.has(term)), ...nameWords]),
    nameless: listModelNames(nameless),
    unreadPages: deniedMachines.reduce((sum, { unreadPages = 0 }) => Math.max(sum, unreadPages), 0),
    ...(machines && { machines }),
  };
}

/** Returns whether what a finding's parts cost, or whether they are here, decides which of them are meant. */
function isWeighed({ item }: Finding): boolean {
  const { price, stock, pieces } = item.constraints ?? {};
  return [price, stock, pieces].some((wish) => wish !== undefined) || isByOffer(item);
}

/**
 * Puts what is available first, where nothing else says the order: then what is out of stock, then what is
 * discontinued.
 */
function putAvailableFirst(finding: Finding, offers: ReadonlyMap<string, Offer>): Finding {
  const { place, mentions, symptom, order, isList } = finding.item;
  if (place || symptom || isList || order !== undefined || mentions.length > 0) return finding;
  const rank = (part: FoundPart): number => {
    const { status, availability } = offers.get(toPartKey(part)) ?? UNKNOWN_OFFER;
    return status === "discontinued" ? 2 : Number(status === null || availability === "out_of_stock");
  };
  return { ...finding, parts: finding.parts.toSorted((a, b) => rank(a) - rank(b)) };
}

const MOST_MET = 12;
/** Of all parts of a machine, the cheapest or dearest. */
const MOST_COMPARED = 3;

/** Keeps the parts that cost, or are here, as was asked; by weight or by price, if that was asked for. */
function keepMet(finding: Finding, offers: ReadonlyMap<string, Offer>): Finding {
  const { item } = finding;
  const { price: bounds, stock, pieces = 0 } = item.constraints ?? {};
  const { minPrice = 0, maxPrice = Infinity } = bounds ?? {};
  const parts = finding.parts.filter((part) => {
    const offer = offers.get(toPartKey(part)) ?? UNKNOWN_OFFER;
    const cents = offer.price === null ? undefined : toCents(offer.price);
    const isPriced = bounds === undefined || (cents !== undefined && cents >= minPrice && cents <= maxPrice);
    const isHere = offer.availability === "in_stock" || offer.availability === "low_stock";
    const isStocked = stock === undefined || (stock === "in" ? isHere : offer.availability === "out_of_stock");
    return isPriced && isStocked && (pieces === 0 || (offer.stock ?? 0) >= pieces);
  });
  const sortedParts =
    item.order && isByOffer(item)
      ? sortByOrder(parts, item.order, (part) => ({ name: "", ...(offers.get(toPartKey(part)) ?? UNKNOWN_OFFER) }))
      : parts;
  const keptParts = isByOffer(item) && !isByWeight(item.order) ? sortedParts.slice(0, MOST_COMPARED) : sortedParts;
  const unmet = parts.length === 0 && finding.parts.length > 0 ? { unmet: finding.parts.length } : {};
  return { ...finding, ...unmet, parts: keptParts.slice(0, MOST_MET), total: keptParts.length };
}

function splitWords(text: string): string[] {
  return text.toLowerCase().split(/[^\p{L}\p{M}]+/u);
}

/** Keeps the machines of the makers that a text names, or all if it names none. */
function filterByMaker(machines: readonly Machine[], text: string): readonly Machine[] {
  const name = foldName(text);
  const makerMachines = machines.filter(
    ({ manufacturer = "" }) => manufacturer !== "" && name.includes(foldName(manufacturer)),
  );
  return makerMachines.length > 0 ? makerMachines : machines;
}

interface WrittenAnswer {
  answer: string;
  parts: readonly FoundPart[];
  modelFailure?: string;
}

/** Writes the answer with the chat model where there is one and its sentences hold, else with the composer. */
async function* writeAnswer(
  evidence: Evidence,
  facts: Facts,
  chat: ChatModel | undefined,
  sources: DeskSources,
  signal: AbortSignal | undefined,
): AsyncGenerator<DeskEvent, WrittenAnswer> {
  const { findings, failed } = evidence;
  const isWorthIt = findings.some(({ parts, quotes, item }) => parts.length + quotes.length + item.models.length > 0);
  let modelFailure: string | undefined;
  if (chat && isWorthIt) {
    const lead = renderLeads(evidence, facts).map((text) => facts.fill(text));
    const reply = yield* chat.answer(evidence, facts, { sources, lead: lead.join("\n\n"), signal });
    if ("answer" in reply) {
      const tail = [...listOmissions(evidence, reply.sentences, facts), ...renderNotes(evidence, facts)];
      const namedFacts = facts.findPartsIn([reply.sentences, ...tail].join(" "));
      const offers = namedFacts.map(({ offer }) => offer);
      const paragraphs = [...tail.map((text) => facts.fill(text)), ...renderOutages(failed, offers, evidence.texts)];
      const text = paragraphs.map((paragraph) => `\n\n${paragraph}`).join("");
      if (text !== "") yield { event: "text", data: { text } };
      return { answer: reply.answer + text, parts: namedFacts.map(({ part }) => part) };
    }
    modelFailure = reply.reason;
    if (reply.hasSpoken) yield { event: "restart", data: { reason: evidence.texts["starting over"] } };
  }
  const answer = [
    facts.fill(composeAnswer(evidence, facts)),
    ...renderOutages(failed, [...evidence.offers.values()], evidence.texts),
  ].join("\n\n");
  for (const paragraph of answer.split(/(?<=\n)/)) yield { event: "text", data: { text: paragraph } };
  return { answer, parts: evidence.parts, ...(modelFailure !== undefined && { modelFailure }) };
}

export interface SearchRecord {
  query: string;
  /** Parts. */
  resultsCount: number;
}

/**
 * Returns what is kept of a question (docs/decisions/0012-what-is-kept-of-a-search.md): the numbers or words of it that
 * found parts; if none did, all of it, or the marks alone of what may not be kept, since a name and an address stand
 * beside those. Undefined if nothing was looked up, or not all that could be.
 */
function toSearchRecord(
  typed: string,
  findings: readonly Finding[],
  failed: ReadonlySet<Searched>,
): SearchRecord | undefined {
  const parts = mergeParts(findings);
  if (parts.length > 0)
    return { query: deduplicate(findings.flatMap(listMatchedTerms)).join(" "), resultsCount: parts.length };
  if (findings.length === 0 || failed.size > 0) return undefined;
  const text = cleanText(typed);
  return { query: listMarks(text) ?? text, resultsCount: 0 };
}

/** Lists the number as the part has it, which is nobody's but the part's; else the question's own words. */
function listMatchedTerms({ item: { mentions, terms, models }, parts }: Finding): string[] {
  const numbers = parts.filter((part) => mentions.some(({ pnNorm }) => pnNorm.endsWith(toPnNorm(part))));
  if (parts.length === 0 || numbers.length > 0) return numbers.map(({ partNumber }) => partNumber);
  const words = [...terms.filter((term) => parts.some((part) => isCalled([term], describePart(part)))), ...models];
  // A number with a slip, a vector: none of the question's own words.
  return words.length > 0 ? words : [getAt(parts, 0).partNumber];
}

export async function readAnswerEvent(events: AsyncIterable<DeskEvent>): Promise<AnswerEvent> {
  for await (const event of events) if (event.event === "answer") return event;
  throw new Error("The desk ended without an answer");
}

/** Reads the answer for a client that does not follow the events. */
export async function readAnswer(events: AsyncIterable<DeskEvent>): Promise<QueryResponse> {
  return (await readAnswerEvent(events)).data;
}
