import { Readable } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import { type CircuitBreakerOptions, createCircuitBreaker, type SpanOptions, withSpan } from "@partline/toolkit";
import type { Evidence } from "../evidence.ts";
import type { DeskEvent } from "../desk-event.ts";
import type { Facts } from "../facts.ts";
import type { DeskSources } from "../port.ts";
import { type Dialect, negotiateDialect, RICHEST } from "./dialect.ts";
import { createFence, createLookUp, renderPrompt } from "./prompt.ts";
import {
  type ChatModelLocation,
  holdConversation,
  ModelTrouble,
  MOST_CHARACTERS,
  type Piece,
  type Task,
  type Trouble,
} from "./request.ts";

/** What a model made of the facts: sentences that hold against them, or why there are none. */
export type ModelReply =
  | { answer: string; /** With their placeholders. */ sentences: string }
  /** `reason` for operators: `The chat model did not answer in time`. */
  | { reason: string; hasSpoken: boolean };

interface AnswerOptions {
  sources: DeskSources;
  /** What stands in front of its words. */
  lead: string;
  signal?: AbortSignal;
}

/** Words answers. The composer needs none; any OpenAI-compatible endpoint may be one. */
export interface ChatModel {
  readonly name: string;
  /** Sentences once they are found to hold, then all. Never throws because of the model, and ends within its time. */
  answer(evidence: Evidence, facts: Facts, options: AnswerOptions): AsyncGenerator<DeskEvent, ModelReply>;
  /** Asks it now, and returns why it does not answer; undefined if it does. */
  findFailure(): Promise<string | undefined>;
}

const MOST_TOKENS_OF_PROBE = 40;
const BREAKER = { failures: 3, openMs: 30_000 };
const MOST_SENTENCES = 20;
/** Characters of an answer before its facts are filled in, as JSON. */
const LONGEST_ANSWER = 4_000;
export const MOST_TOKENS = 500;
/** A server answers so where it does not know a part of the request; llama.cpp's says 500. */
const REFUSING_STATUSES = new Set([400, 404, 405, 406, 415, 422, 500, 501]);

/** What became of asking the model, for operators: an answer says nothing of it. */
const REASONS: Record<Trouble, string> = {
  timed_out: "The chat model did not answer in time",
  unreachable: "The chat model could not be asked",
  refused: "The chat model refused the request",
  endless: "The chat model did not come to an end",
  circuit_open: "The chat model is left alone for a moment, as it failed too often",
  abandoned: "Nobody waits for the chat model",
};

const toTrouble = (error: unknown): ModelTrouble =>
  error instanceof ModelTrouble ? error : new ModelTrouble("unreachable");
const describeTrouble = ({ trouble, status }: ModelTrouble): string =>
  REASONS[trouble] + (status === undefined ? "" : ` (status ${status})`);

/** By the conventions for generative models; what is asked and said stays out of it. */
const SPAN: SpanOptions = {
  kind: "client",
  attributes: { "gen_ai.operation.name": "chat", "partline.provider": "chat-model" },
};

/** What the model is watched by. */
export interface ModelWatch {
  onOutcome(outcome: ModelTrouble | "answered"): void;
  /** Hears once how the server is asked, where it does not take all that it is asked with. */
  onDialect?(dialect: Dialect): void;
  watchCircuit?: CircuitBreakerOptions["watchCircuit"];
}

/** Creates the model behind an OpenAI-compatible endpoint; each sentence is checked before its facts are filled in. */
export function createEndpointModel(
  location: ChatModelLocation,
  { onOutcome, onDialect, watchCircuit }: ModelWatch,
): ChatModel {
  const guarded = createCircuitBreaker({
    ...BREAKER,
    watchCircuit,
    isFailure: (error) => error instanceof ModelTrouble && error.trouble !== "abandoned",
    whenOpen: () => new ModelTrouble("circuit_open"),
  });
  const withTimeout = (...signals: readonly AbortSignal[]): AbortSignal =>
    AbortSignal.any([AbortSignal.timeout(location.timeoutSeconds * 1_000), ...signals]);
  const speak = createSpeaker(location, withTimeout, onDialect);

  return {
    name: location.model,
    async *answer({ question }, facts, { sources, lead, signal }): AsyncGenerator<DeskEvent, ModelReply> {
      const fence = createFence();
      const abort = new AbortController();
      const pieces = new Readable({ objectMode: true, highWaterMark: MOST_CHARACTERS, read: () => undefined });
      const task: Task = {
        prompt: renderPrompt(question.text, facts, fence),
        lookUp: createLookUp(sources, facts, fence),
        isFormatted: true,
        maxTokens: MOST_TOKENS,
        retries: 1,
        signal: withTimeout(abort.signal, ...(signal ? [signal] : [])),
      };
      // The breaker counts all of an answer as one attempt.
      const asking = guarded(() =>
        withSpan(`chat ${location.model}`, SPAN, () => speak(task, (piece) => pieces.push(piece))),
      )
        // Pieces that came before it are read before it.
        .catch((error: unknown) => pieces.push({ error }))
        .then(() => pieces.push(null));
      const sentences: string[] = [];
      let answer = "";
      const toFailure = (reason: string): ModelReply => ({ reason, hasSpoken: answer !== "" });
      const refuse = (flaw: string): ModelReply =>
        toFailure(`What the chat model said did not hold, as it had ${flaw}`);
      try {
        for await (const sentence of parseSentences(pieces)) {
          if (sentences.length === MOST_SENTENCES) return toFailure(REASONS.endless);
          const flaw = facts.findFlaw(sentence);
          if (flaw) return refuse(flaw);
          sentences.push(sentence);
          // Before it has named a part or a line of a manual, what it says may be about anything.
          if (answer === "" && !/\{[pq]\d/.test(sentence)) continue;
          const fullText = `${lead === "" ? "" : `${lead}\n\n`}${sentences.map((sentence) => facts.fill(sentence)).join(" ")}`;
          yield { event: "text", data: { text: fullText.slice(answer.length) } };
          answer = fullText;
        }
        onOutcome("answered");
        return answer === "" ? refuse("nothing that was found") : { answer, sentences: sentences.join(" ") };
      } catch (error) {
        const trouble = toTrouble(error);
        onOutcome(trouble);
        return toFailure(describeTrouble(trouble));
      } finally {
        abort.abort();
        await asking;
      }
    },
    async findFailure() {
      let words = "";
      const hear = (piece: Piece): void => void (words += "text" in piece ? piece.text : "");
      try {
        await guarded(() => speak({ ...PROBE, signal: withTimeout() }, hear));
        onOutcome("answered");
        return words.trim() === "" ? "The chat model said nothing" : undefined;
      } catch (error) {
        const trouble = toTrouble(error);
        onOutcome(trouble);
        return describeTrouble(trouble);
      }
    },
  };
}

const PROBE: Omit<Task, "signal"> = {
  prompt: "Say: ready",
  isFormatted: false,
  maxTokens: MOST_TOKENS_OF_PROBE,
  retries: 0,
};

/**
 * Returns what holds a conversation in the richest dialect that the server takes. The first refusal of a request finds
 * out which that is, once for all conversations. @throws ModelTrouble
 */
function createSpeaker(
  location: ChatModelLocation,
  withTimeout: () => AbortSignal,
  onDialect: ModelWatch["onDialect"],
): (task: Task, onPiece: (piece: Piece) => void) => Promise<void> {
  let dialect = RICHEST;
  let negotiating: Promise<Dialect> | undefined;

  const isTaken = async (tried: Dialect): Promise<boolean> => {
    const lookUp = tried.hasTools ? () => Promise.resolve("") : undefined;
    try {
      const task: Task = { ...PROBE, lookUp, isFormatted: true, signal: withTimeout() };
      const { hasCalledAnswer } = await holdConversation(location, tried, task, () => undefined);
      // A server that ignores tools takes the request, too.
      return tried.format !== "tool" || hasCalledAnswer;
    } catch (error) {
      if (isRefusal(error)) return false;
      throw error;
    }
  };
  const use = (next: Dialect): Dialect => {
    if (!isDeepStrictEqual(next, dialect)) onDialect?.(next);
    return (dialect = next);
  };
  const negotiate = (refusal: unknown): Promise<Dialect> =>
    (negotiating ??= negotiateDialect(isTaken)
      .then((richest) => {
        if (!richest) throw refusal;
        return use(richest);
      })
      .finally(() => (negotiating = undefined)));

  return async (task, onPiece) => {
    let steps = 0;
    let hasSpoken = false;
    const count = (piece: Piece): void => {
      if ("step" in piece) steps += 1;
      else hasSpoken = true;
      onPiece(piece);
    };
    const current = dialect;
    try {
      await holdConversation(location, current, task, count);
    } catch (error) {
      if (!isRefusal(error) || hasSpoken) throw error;
      // What a look-up found is refused where the look-up itself is not.
      const next = steps > 1 ? use({ ...current, hasTools: false }) : await negotiate(error);
      // It refuses what is asked, not how: too long a text.
      if (isDeepStrictEqual(next, current)) throw error;
      await holdConversation(location, next, task, onPiece);
    }
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof ModelTrouble && error.status !== undefined && REFUSING_STATUSES.has(error.status);
}

/** Parses the sentences of `{"sentences": […]}` as they are complete; other JSON has none. @throws ModelTrouble */
async function* parseSentences(pieces: AsyncIterable<Piece | { error: unknown }>): AsyncGenerator<string, void> {
  const { parsePartialJson } = await import("ai");
  let json = "";
  let emittedCount = 0;
  const next = async (isWhole: boolean): Promise<string[]> => {
    const { value } = await parsePartialJson(json.replace(/^\s*```(?:json)?/, "").replace(/```\s*$/, ""));
    const rawSentences = (value as { sentences?: unknown } | undefined)?.sentences;
    // Models like to stress; it is no markup that is meant.
    const allSentences = (Array.isArray(rawSentences) ? rawSentences : []).map((sentence) =>
      String(sentence)
        .replace(/\*\*|`/g, "")
        .replace(/\s+/g, " ")
        .trim(),
    );
    // The last one may go on.
    const sentences = allSentences.slice(emittedCount, isWhole ? undefined : -1);
    emittedCount += sentences.length;
    return sentences.filter((sentence) => sentence !== "");
  };
  for await (const piece of pieces) {
    if ("error" in piece) throw piece.error;
    if ("step" in piece) json = "";
    if ("step" in piece) emittedCount = 0;
    if (!("text" in piece)) continue;
    json += piece.text;
    if (json.length > LONGEST_ANSWER) throw new ModelTrouble("endless");
    if (/[",\]]/.test(piece.text)) yield* await next(false);
  }
  yield* await next(true);
}
