import type { ChatModel } from "../chat/port.ts";
import { ANSWER_DEADLINE } from "../limits.ts";
import type { ManualLinks } from "../../shared/manual-links.ts";
import { rememberedAfter, type Conversations, type Remembered } from "./conversation.ts";
import { isForSale, isUnasked, type FoundPart, type Offer } from "./facts.ts";
import { toQueryResponse, type QueryResponse } from "./response.ts";
import { evidenceOf, partsOf, type Evidence } from "./finding/evidence.ts";
import { keyOf } from "./finding/finding.ts";
import { lookedFor, type LookedFor } from "./finding/looked-for.ts";
import { retrieve, type Finding } from "./finding/retrieval.ts";
import { withReplacements } from "./finding/successors.ts";
import { createMemoizedSources } from "./sources/asked-once.ts";
import type { DeskSources } from "./sources/sources.ts";
import { createLimitedSources, type Searched } from "./sources/time-limit.ts";
import { isConfirmation } from "./understanding/confirmation.ts";
import { followUp } from "./understanding/follow-up.ts";
import { remarkSaid } from "./understanding/remarks.ts";
import { understand } from "./understanding/understanding.ts";
import { composeAnswer, notesOf } from "./wording/compose.ts";
import { unknownMachinesSaid } from "./wording/unknown-machines-said.ts";

export interface DeskQuestion {
  query: string;
  /** Where this question is looked up, under its request id; the desk's own otherwise. */
  sources?: DeskSources;
  includeStoreLink: boolean;
  /** Of whoever asks; without one nothing is remembered, and a "yes" confirms nothing. */
  sessionId?: string;
  /** Nobody waits any more. */
  signal?: AbortSignal;
  /** Hears once what it was a search for, if it was one, when it has been looked up. */
  onSearch?(search: LookedFor & { tookMs: number }): void;
}

/**
 * What becomes of a question, in this order: pieces of the answer's text; at most once `restart`, where what came
 * before is void, and the text begins again; and `answer`, which ends it.
 */
export type DeskEvent =
  { event: "text"; data: { text: string } } | { event: "restart"; data: { reason: string } } | AnswerEvent;

export interface AnswerEvent {
  event: "answer";
  data: QueryResponse;
  /** Why the words are not the chat model's, where it was asked for some. */
  modelFailure?: string;
}

export interface DeskOptions {
  sources: DeskSources;
  conversations: Conversations;
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
/** And longest for what replaces the parts that cannot be bought; milliseconds. */
const REPLACING_MS = 2_000;

const NOTHING_OPEN = "There are no parts open to send links for: ask about a part first, with the same X-Session-Id.";
const LINKS_SENT = "Here are the store links, with each part.";
const NO_LINKS_ANY_MORE = "None of these parts can be bought in the store now.";
const LINKS_UNKNOWN = "Whether these parts can be bought could not be asked just now: say yes again in a moment.";

export function createDesk({ sources: own, conversations, links, storeUrl, chat }: DeskOptions): Desk {
  const offersOf = async (parts: readonly FoundPart[], sources: DeskSources): Promise<Map<string, Offer>> => {
    const offers = parts.length === 0 ? [] : await sources.offers(parts);
    return new Map(parts.map((part, at) => [keyOf(part), offers[at]!]));
  };

  const gather = async (
    query: string,
    before: Remembered | undefined,
    sources: DeskSources,
    failed: Set<Searched>,
    onSearch: DeskQuestion["onSearch"],
  ): Promise<Evidence> => {
    const startedAt = performance.now();
    const once = createMemoizedSources(sources);
    const limited = createLimitedSources(once, LOOKING_UP_MS, failed);
    const named = await limited.modelsNamedIn(query);
    const question = followUp(understand(query, named), before);
    const found = await retrieve(question, limited);
    const search = lookedFor(question, found, failed);
    if (search) onSearch?.({ ...search, tookMs: performance.now() - startedAt });
    const offers = await offersOf(partsOf(found), sources);
    const notReplaced = new Set<Searched>();
    const findings = await withReplacements(
      found,
      (part) => offers.get(keyOf(part)),
      createLimitedSources(once, REPLACING_MS, notReplaced),
      notReplaced,
    );
    const ofSuccessors = await offersOf(
      partsOf(findings).filter((part) => !offers.has(keyOf(part))),
      sources,
    );
    return evidenceOf(question, findings, new Map([...offers, ...ofSuccessors]), failed);
  };

  async function* sendLinks(before: Remembered | undefined, sources: DeskSources): AsyncGenerator<DeskEvent, void> {
    const open = before?.isOpen === true ? before : undefined;
    const parts = open?.parts ?? [];
    const offers = await offersOf(parts, sources);
    const offered: Evidence = { ...evidenceOf({ text: "", asks: [] }, [], offers, new Set()), parts };
    const answer =
      open === undefined
        ? NOTHING_OPEN
        : parts.some((part) => isForSale(offered.offerOf(part)))
          ? LINKS_SENT
          : parts.some((part) => isUnasked(offered.offerOf(part)))
            ? LINKS_UNKNOWN
            : NO_LINKS_ANY_MORE;
    yield { event: "text", data: { text: answer } };
    yield {
      event: "answer",
      data: toQueryResponse({ answer, parts }, offered, {
        links,
        storeUrl,
        includeStoreLink: true,
        models: open?.models ?? [],
      }),
    };
  }

  async function* sayTo(answer: string): AsyncGenerator<DeskEvent, void> {
    yield { event: "text", data: { text: answer } };
    yield {
      event: "answer",
      data: toQueryResponse({ answer, parts: [] }, evidenceOf({ text: "", asks: [] }, [], new Map(), new Set()), {
        links,
        storeUrl,
        includeStoreLink: false,
        models: [],
      }),
    };
  }

  return {
    async *answer({ query, includeStoreLink, sessionId, signal, onSearch, sources = own }) {
      const before = sessionId === undefined ? undefined : await conversations.get(sessionId);
      const remark = remarkSaid(query);
      if (remark !== undefined) {
        // A yes is to the last answer.
        if (before?.isOpen && sessionId !== undefined)
          await conversations.keep(sessionId, { ...before, isOpen: false });
        yield* sayTo(remark);
        return;
      }
      if (isConfirmation(query)) {
        yield* sendLinks(before, sources);
        return;
      }
      const failed = new Set<Searched>();
      const evidence = await gather(query, before, sources, failed, onSearch);
      const models = [...new Set(evidence.findings.flatMap(({ ask }) => ask.models.map(({ equipment }) => equipment)))];
      const wording = yield* word(evidence, {
        chat,
        links,
        sources: createLimitedSources(sources, ANSWER_DEADLINE, failed),
        signal,
      });
      const response = toQueryResponse(wording, wording.evidence, { links, storeUrl, includeStoreLink, models });
      const remembered = rememberedAfter(before, {
        findings: evidence.findings,
        parts: wording.parts,
        isOpen: response.needs_confirmation,
      });
      if (remembered && sessionId !== undefined) await conversations.keep(sessionId, remembered);
      yield {
        event: "answer",
        data: response,
        ...(wording.modelFailure === undefined ? {} : { modelFailure: wording.modelFailure }),
      };
    },
  };
}

/**
 * What a manual's text says is quoted word for word, and what it does not say is said; sums and what is cheapest are
 * worked out, and no model's to say.
 */
function isWorkedOut({ quotes, untold, ask }: Finding): boolean {
  return (
    quotes.length > 0 ||
    untold !== undefined ||
    ask.pick !== undefined ||
    ask.count !== undefined ||
    (ask.isTotal && ask.wanted === "offer")
  );
}

interface Worded {
  answer: string;
  parts: readonly FoundPart[];
  evidence: Evidence;
  modelFailure?: string;
}

/**
 * By the chat model where there is one and something to say; by the composer otherwise, and where the model's words do
 * not hold.
 */
async function* word(
  evidence: Evidence,
  {
    chat,
    links,
    sources,
    signal,
  }: { chat?: ChatModel; links: ManualLinks; sources: DeskSources; signal?: AbortSignal },
): AsyncGenerator<DeskEvent, Worded> {
  let modelFailure: string | undefined;
  if (
    chat &&
    !evidence.findings.some(isWorkedOut) &&
    evidence.findings.some(({ parts, ask }) => parts.length > 0 || ask.models.length > 0)
  ) {
    const said = yield* chat.answer(evidence, { sources, signal });
    if ("answer" in said) {
      const notes = [...unknownMachinesSaid(evidence.findings), ...notesOf(said.evidence, said.parts)].join(" ");
      if (notes === "") return said;
      yield { event: "text", data: { text: `\n\n${notes}` } };
      return { ...said, answer: `${said.answer}\n\n${notes}` };
    }
    modelFailure = said.reason;
    if (said.hasSpoken) yield { event: "restart", data: { reason: modelFailure } };
  }
  const composed = [composeAnswer(evidence, links), ...notesOf(evidence, evidence.parts)].join("\n\n");
  const answer =
    modelFailure === undefined
      ? composed
      : `${composed}\n\n(${modelFailure}: this answer was put together without it, from the manuals and the catalog.)`;
  for (const paragraph of answer.split(/(?<=\n)/)) yield { event: "text", data: { text: paragraph } };
  return { answer, parts: evidence.parts, evidence, ...(modelFailure === undefined ? {} : { modelFailure }) };
}

/** The end of it. */
export async function lastEvent(events: AsyncIterable<DeskEvent>): Promise<AnswerEvent> {
  for await (const event of events) if (event.event === "answer") return event;
  throw new Error("The desk ended without an answer");
}

/** What is answered to who does not follow. */
export async function lastAnswer(events: AsyncIterable<DeskEvent>): Promise<QueryResponse> {
  return (await lastEvent(events)).data;
}
