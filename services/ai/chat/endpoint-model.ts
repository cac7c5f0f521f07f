import { setTimeout as delay } from "node:timers/promises";
import type { ChatModelLocation } from "../../../broker/settings/models.ts";
import { createCircuitBreaker, type CircuitBreakerOptions } from "../../../mixins/circuit-breaker.ts";
import { traced, type SpanOptions } from "../../../mixins/tracing.ts";
import type { DeskEvent } from "../desk/desk.ts";
import type { Evidence } from "../desk/finding/evidence.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { flawOf, LONGEST_ANSWER, namesPart, partsNamedIn, withoutEmphasis } from "./check.ts";
import type { FactsTold } from "./facts-told.ts";
import type { ChatModel, Said } from "./port.ts";
import { createFence, INSTRUCTIONS, promptOf } from "./prompt.ts";
import { createLookups, factsOf, type Lookups } from "./tools.ts";

/** Steps of one answer: a look-up or two, and the words. */
const MOST_STEPS = 4;
/** A model may call for hundreds of look-ups in one step. */
const LOOKUPS_AT_A_TIME = 4;
export const MOST_TOKENS = 500;
export const TEMPERATURE = 0;
/** Before it is asked once more, where it could not be asked the first time; milliseconds. */
const RETRY_PAUSE = 250;
const BREAKER = { failures: 3, openMs: 30_000 };
const LONGEST_INPUT = 200;
/** Of all that a model says in one conversation, what it says beside its look-ups included. */
const MOST_CHARACTERS = 50_000;

/** What became of asking the model. */
type Trouble = "timed_out" | "unreachable" | "endless" | "circuit_open" | "abandoned";

class ModelTrouble extends Error {
  readonly trouble: Trouble;
  constructor(trouble: Trouble) {
    super(trouble);
    this.trouble = trouble;
  }
}

const REASONS: Record<Trouble, string> = {
  timed_out: "The chat model did not answer in time",
  unreachable: "The chat model could not be asked",
  endless: "The chat model did not come to an end",
  circuit_open: "The chat model is left alone for a moment, as it failed too often",
  abandoned: "Nobody waits for the chat model",
};

/** By the conventions for generative models; what is asked and said stays out of it. */
const SPAN: SpanOptions = {
  kind: "client",
  attributes: { "gen_ai.operation.name": "chat", "partline.provider": "chat-model" },
};

/** Words of an OpenAI-compatible endpoint, piece by piece checked against what it was told. */
export function createEndpointModel(
  location: ChatModelLocation,
  onFailure: (reason: string) => void,
  watchCircuit?: CircuitBreakerOptions["watchCircuit"],
): ChatModel {
  const guarded = createCircuitBreaker({
    ...BREAKER,
    watchCircuit,
    isFailure: (error) => error instanceof ModelTrouble && error.trouble !== "abandoned",
    whenOpen: () => new ModelTrouble("circuit_open"),
  });
  const withinTime = (signal: AbortSignal | undefined): AbortSignal =>
    AbortSignal.any([AbortSignal.timeout(location.timeoutSeconds * 1_000), ...(signal ? [signal] : [])]);

  return {
    name: location.model,
    async *answer(evidence, { sources, signal }): AsyncGenerator<DeskEvent, Said> {
      const facts = factsOf(evidence);
      const fence = createFence();
      const abort = new AbortController();
      const limit = AbortSignal.any([withinTime(signal), abort.signal]);
      const pieces = createQueue<string>();
      // The breaker counts all of an answer as one attempt.
      const task: Task = {
        prompt: promptOf(evidence, fence),
        lookups: createLookups(sources, facts, fence),
        signal: limit,
      };
      const asking = guarded(() =>
        traced(`chat ${location.model}`, SPAN, () => speakOrTryAgain(location, task, (piece) => pieces.push(piece))),
      ).then(
        () => pieces.end(),
        (error: unknown) => pieces.fail(error),
      );
      let said = "";
      let waiting = "";
      let hasSpoken = false;
      try {
        for await (const piece of pieces.read()) {
          waiting += piece;
          // What goes on and on is not waited for: it may have no sentences.
          if (said.length + waiting.length > LONGEST_ANSWER) return refusal(REASONS.endless, hasSpoken);
          const ready = untilSentence(waiting);
          if (ready === "") continue;
          const text = withoutEmphasis(ready);
          const flaw = flawOf(said + text, facts);
          if (flaw) return refusal(`What the chat model said did not hold, as it had ${flaw}`, hasSpoken);
          said += text;
          waiting = waiting.slice(ready.length);
          // Before it has named a part, what it says may be about anything.
          if (!hasSpoken && !namesPart(said, facts)) continue;
          yield { event: "text", data: { text: hasSpoken ? text : said } };
          hasSpoken = true;
        }
        const last = withoutEmphasis(waiting);
        const whole = (said + last).trim();
        const flaw = whole === "" || !namesPart(whole, facts) ? "nothing about a part" : flawOf(whole, facts);
        if (flaw) return refusal(`What the chat model said did not hold, as it had ${flaw}`, hasSpoken);
        if (!hasSpoken || last !== "") yield { event: "text", data: { text: hasSpoken ? last : whole } };
        return { answer: whole, ...told(whole, evidence, facts) };
      } catch (error) {
        const trouble = error instanceof ModelTrouble ? error.trouble : "unreachable";
        onFailure(trouble);
        return refusal(REASONS[trouble], hasSpoken);
      } finally {
        abort.abort();
        await asking;
      }
      function refusal(reason: string, spoken: boolean): Said {
        return { reason, hasSpoken: spoken };
      }
    },
    async check() {
      try {
        let hasSpoken = false;
        await guarded(() =>
          speak(
            location,
            { prompt: "Say: ready", signal: withinTime(undefined) },
            (piece) => (hasSpoken ||= piece.trim() !== ""),
          ),
        );
        return hasSpoken ? { ok: true } : { ok: false, reason: "The chat model said nothing" };
      } catch (error) {
        return { ok: false, reason: REASONS[error instanceof ModelTrouble ? error.trouble : "unreachable"] };
      }
    },
  };
}

/** The parts that the words name, in the order of telling. */
function told(
  text: string,
  evidence: Evidence,
  facts: FactsTold,
): Pick<Extract<Said, { answer: string }>, "parts" | "evidence"> {
  const named = partsNamedIn(text, facts);
  const parts = facts.parts().filter(({ pnNorm }) => named.has(pnNorm));
  return { parts, evidence: { ...evidence, offerOf: (part) => facts.offerOf(part) } };
}

/** Up to the end of the last sentence or line. */
function untilSentence(text: string): string {
  const ends = [...text.matchAll(/[.!?](?=\s)|\n/g)];
  const last = ends.at(-1);
  return last === undefined ? "" : text.slice(0, last.index + last[0].length);
}

interface Task {
  prompt: string;
  lookups?: Lookups;
  signal: AbortSignal;
}

/** Once more where it failed before its first word. @throws ModelTrouble */
async function speakOrTryAgain(location: ChatModelLocation, task: Task, onText: (text: string) => void): Promise<void> {
  let hasBegun = false;
  try {
    await speak(location, task, (text) => {
      hasBegun = true;
      onText(text);
    });
  } catch (error) {
    if (hasBegun || task.signal.aborted || !(error instanceof ModelTrouble && error.trouble === "unreachable"))
      throw error;
    await delay(RETRY_PAUSE, undefined, { signal: task.signal }).catch(() => {
      throw troubleOf(task.signal);
    });
    await speak(location, task, onText);
  }
}

/** One conversation with the model, its look-ups included. @throws ModelTrouble */
async function speak(
  { baseUrl, apiKey, model }: ChatModelLocation,
  { prompt, lookups, signal }: Task,
  onText: (text: string) => void,
): Promise<void> {
  const [{ streamText, tool, jsonSchema, stepCountIs }, { createOpenAICompatible }] = await Promise.all([
    import("ai"),
    import("@ai-sdk/openai-compatible"),
  ]);
  // The log has lines of its own form.
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
  const text = (maxLength = LONGEST_INPUT) => ({ type: "string", maxLength }) as const;
  const object = (properties: Record<string, ReturnType<typeof text>>, required: string[]) =>
    ({ type: "object", properties, required, additionalProperties: false }) as const;
  const over = new AbortController();
  let isEndless = false;
  const result = streamText({
    model: createOpenAICompatible({
      name: "llm",
      baseURL: baseUrl,
      fetch: boundedFetch(() => (isEndless = true)),
      ...(apiKey === undefined ? {} : { apiKey }),
    })(model),
    instructions: INSTRUCTIONS,
    prompt,
    temperature: TEMPERATURE,
    maxOutputTokens: MOST_TOKENS,
    maxRetries: 0,
    stopWhen: stepCountIs(MOST_STEPS),
    toolCallConcurrency: LOOKUPS_AT_A_TIME,
    abortSignal: AbortSignal.any([signal, over.signal]),
    // Its own way of reporting is the console.
    onError: () => undefined,
    ...(lookups && {
      tools: {
        search_manuals: tool({
          description: "Search the text and the parts lists of equipment manuals.",
          inputSchema: jsonSchema<{ words: string; model?: string }>(
            object({ words: text(), model: text() }, ["words"]),
          ),
          execute: (input) => lookups.searchManuals(bounded(input)),
        }),
        lookup_part: tool({
          description: "Look up a part by its number: what it is, where manuals list it, price and stock.",
          inputSchema: jsonSchema<{ part_number: string }>(object({ part_number: text() }, ["part_number"])),
          execute: (input) => lookups.lookupPart(bounded(input)),
        }),
        equipment_parts: tool({
          description: "List parts of an equipment model, all or those that words name.",
          inputSchema: jsonSchema<{ model: string; words?: string }>(
            object({ model: text(), words: text() }, ["model"]),
          ),
          execute: (input) => lookups.equipmentParts(bounded(input)),
        }),
      },
    }),
  });
  try {
    let length = 0;
    for await (const part of result.stream) {
      if (part.type === "error" || part.type === "abort") throw new Error(part.type);
      if (part.type !== "text-delta") continue;
      if ((length += part.text.length) > MOST_CHARACTERS) throw new ModelTrouble("endless");
      onText(part.text);
    }
  } catch (error) {
    if (error instanceof ModelTrouble) throw error;
    throw isEndless ? new ModelTrouble("endless") : troubleOf(signal);
  } finally {
    over.abort();
  }
  if (signal.aborted) throw troubleOf(signal);
}

/** What a model sends for a text may be anything: it is made one, and short. */
function bounded<T extends object>(input: T): T {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, String(value).slice(0, LONGEST_INPUT)]),
  ) as T;
}

function troubleOf(signal: AbortSignal): ModelTrouble {
  if (!signal.aborted) return new ModelTrouble("unreachable");
  return new ModelTrouble((signal.reason as Error | undefined)?.name === "TimeoutError" ? "timed_out" : "abandoned");
}

interface Queue<T> {
  push(item: T): void;
  end(): void;
  fail(error: unknown): void;
  read(): AsyncGenerator<T, void>;
}

/** Hands what one side pushes to the other, which waits for it. */
function createQueue<T>(): Queue<T> {
  const items: T[] = [];
  let over: { error?: unknown } | undefined;
  let wake: () => void = () => undefined;
  return {
    push: (item) => {
      items.push(item);
      wake();
    },
    end: () => {
      over = {};
      wake();
    },
    fail: (error) => {
      over = { error };
      wake();
    },
    async *read() {
      for (;;) {
        if (items.length > 0) yield items.shift()!;
        else if (over) {
          if ("error" in over) throw over.error;
          return;
        } else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
