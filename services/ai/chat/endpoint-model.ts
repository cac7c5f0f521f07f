import { Readable } from "node:stream";
import type { ChatModelLocation } from "../../../broker/settings/models.ts";
import { createCircuitBreaker, type CircuitBreakerOptions } from "../../../mixins/circuit-breaker.ts";
import { traced, type SpanOptions } from "../../../mixins/tracing.ts";
import type { Evidence } from "../desk/compose.ts";
import type { DeskEvent } from "../desk/desk.ts";
import type { Facts } from "../desk/facts.ts";
import type { DeskSources } from "../desk/port.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { createFence, createLookUp, INSTRUCTIONS, LOOKUPS, promptOf, type LookUp } from "./prompt.ts";

/** What a model made of the facts: sentences that hold against them, or why there are none. */
export type Said =
  | { answer: string; /** With their placeholders. */ sentences: string }
  /** `reason` as an answer says it: `The chat model did not answer in time`. */
  | { reason: string; hasSpoken: boolean };

interface Asked {
  sources: DeskSources;
  /** What stands in front of its words. */
  lead: string;
  signal?: AbortSignal;
}

/** Words answers. The composer needs none; any OpenAI-compatible endpoint may be one. */
export interface ChatModel {
  readonly name: string;
  /**
   * Sentences as they are found to hold, then all of them. Never throws because of the model, and ends within its time.
   */
  answer(evidence: Evidence, facts: Facts, asked: Asked): AsyncGenerator<DeskEvent, Said>;
  /** Whether it answers at all, asked now; why not, if it does not. */
  check(): Promise<{ ok: true } | { ok: false; reason: string }>;
}

/** Steps of one answer: look-ups, and the words. */
const MOST_STEPS = 7;
/** A model may call for hundreds of look-ups in one step. */
const LOOKUPS_AT_A_TIME = 4;
export const MOST_TOKENS = 500;
export const TEMPERATURE = 0;
const BREAKER = { failures: 3, openMs: 30_000 };
const LONGEST_INPUT = 200;
const MOST_SENTENCES = 20;
/** Characters of an answer before its facts are filled in, as JSON. */
const LONGEST_ANSWER = 4_000;
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

/** An OpenAI-compatible endpoint, each of whose sentences is checked before its facts are filled in. */
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
    async *answer({ question }, facts, { sources, lead, signal }): AsyncGenerator<DeskEvent, Said> {
      const fence = createFence();
      const abort = new AbortController();
      const limit = AbortSignal.any([withinTime(signal), abort.signal]);
      const pieces = new Readable({ objectMode: true, highWaterMark: MOST_CHARACTERS, read: () => undefined });
      const task: Task = {
        prompt: promptOf(question.text, facts, fence),
        lookUp: createLookUp(sources, facts, fence),
        signal: limit,
      };
      // The breaker counts all of an answer as one attempt.
      const asking = guarded(() =>
        traced(`chat ${location.model}`, SPAN, () => speak(location, task, (piece) => pieces.push(piece))),
      )
        // Pieces that came before it are read before it.
        .catch((error: unknown) => pieces.push({ error }))
        .then(() => pieces.push(null));
      const refusal = (flaw: string): Said => ({
        reason: `What the chat model said did not hold, as it had ${flaw}`,
        hasSpoken,
      });
      const said: string[] = [];
      let sentences = "";
      let answer = "";
      let hasSpoken = false;
      try {
        for await (const next of sentencesOf(pieces)) {
          if (next === "endless" || said.length + next.length > MOST_SENTENCES)
            return { reason: REASONS.endless, hasSpoken };
          for (const sentence of next) {
            const flaw = facts.flawOf(sentence);
            if (flaw) return refusal(flaw);
            said.push(facts.fill(sentence));
            sentences += ` ${sentence}`;
            // Before it has named a part or a line of a manual, what it says may be about anything.
            if (!hasSpoken && !/\{[pq]\d/.test(sentence)) continue;
            const all = [...(lead === "" ? [] : [lead]), said.join(" ")].join("\n\n");
            yield { event: "text", data: { text: all.slice(answer.length) } };
            answer = all;
            hasSpoken = true;
          }
        }
        return hasSpoken ? { answer, sentences } : refusal("nothing that was found");
      } catch (error) {
        const trouble = error instanceof ModelTrouble ? error.trouble : "unreachable";
        onFailure(trouble);
        return { reason: REASONS[trouble], hasSpoken };
      } finally {
        abort.abort();
        await asking;
      }
    },
    async check() {
      try {
        let hasSpoken = false;
        await guarded(() =>
          speak(
            location,
            { prompt: "Say: ready", signal: withinTime(undefined) },
            (piece) => (hasSpoken ||= piece !== "step" && "text" in piece && piece.text.trim() !== ""),
          ),
        );
        return hasSpoken ? { ok: true } : { ok: false, reason: "The chat model said nothing" };
      } catch (error) {
        return { ok: false, reason: REASONS[error instanceof ModelTrouble ? error.trouble : "unreachable"] };
      }
    },
  };
}

/** What a model says next; `step` begins what it says after a look-up. */
type Piece = { text: string } | "step" | { error: unknown };

/**
 * The sentences of `{"sentences": […]}` as they are complete; `endless` if it goes on and on. What is no such JSON has no
 * sentences.
 */
async function* sentencesOf(pieces: AsyncIterable<Piece>): AsyncGenerator<string[] | "endless", void> {
  const { parsePartialJson } = await import("ai");
  let json = "";
  let read = 0;
  const next = async (isWhole: boolean): Promise<string[]> => {
    const { value } = await parsePartialJson(json.replace(/^\s*```(?:json)?/, "").replace(/```\s*$/, ""));
    const found = (value as { sentences?: unknown } | undefined)?.sentences;
    const all = Array.isArray(found) ? found.map((each) => withoutEmphasis(String(each))) : [];
    // The last one may go on.
    const sentences = (isWhole ? all : all.slice(0, -1)).slice(read);
    read += sentences.length;
    return sentences.filter((sentence) => sentence !== "");
  };
  for await (const piece of pieces) {
    if (piece !== "step" && "error" in piece) throw piece.error;
    if (piece === "step") {
      json = "";
      read = 0;
      continue;
    }
    json += piece.text;
    if (json.length > LONGEST_ANSWER) {
      yield "endless";
      return;
    }
    if (/[",\]]/.test(piece.text)) yield await next(false);
  }
  yield await next(true);
}

/** Models like to stress; it is no markup that is meant. */
function withoutEmphasis(sentence: string): string {
  return sentence
    .replace(/\*\*|`/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

interface Task {
  prompt: string;
  lookUp?: LookUp;
  signal: AbortSignal;
}

/** One conversation with the model, its look-ups included. @throws ModelTrouble */
async function speak(
  { baseUrl, apiKey, model }: ChatModelLocation,
  { prompt, lookUp, signal }: Task,
  onPiece: (piece: Piece) => void,
): Promise<void> {
  const [{ streamText, tool, jsonSchema, stepCountIs, Output }, { createOpenAICompatible }] = await Promise.all([
    import("ai"),
    import("@ai-sdk/openai-compatible"),
  ]);
  // The log has lines of its own form.
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
  const over = new AbortController();
  let isEndless = false;
  const result = streamText({
    model: createOpenAICompatible({
      name: "llm",
      baseURL: baseUrl,
      fetch: boundedFetch(() => (isEndless = true)),
      supportsStructuredOutputs: true,
      ...(apiKey === undefined ? {} : { apiKey }),
    })(model),
    instructions: INSTRUCTIONS,
    prompt,
    temperature: TEMPERATURE,
    maxOutputTokens: MOST_TOKENS,
    // Where it failed before its first word.
    maxRetries: 1,
    stopWhen: stepCountIs(MOST_STEPS),
    toolCallConcurrency: LOOKUPS_AT_A_TIME,
    abortSignal: AbortSignal.any([signal, over.signal]),
    // Its own way of reporting is the console.
    onError: () => undefined,
    ...(lookUp && {
      output: Output.object({
        schema: jsonSchema<{ sentences: string[] }>({
          type: "object",
          properties: { sentences: { type: "array", items: { type: "string" } } },
          required: ["sentences"],
          additionalProperties: false,
        }),
      }),
      tools: Object.fromEntries(
        Object.entries(LOOKUPS).map(([name, { description, inputs }]) => [
          name,
          tool({
            description,
            inputSchema: jsonSchema<Record<string, unknown>>({
              type: "object",
              properties: Object.fromEntries(
                inputs.map((each) => [each, { type: "string", maxLength: LONGEST_INPUT }]),
              ),
              required: inputs.slice(0, 1),
              additionalProperties: false,
            }),
            execute: (input) => lookUp(name as keyof typeof LOOKUPS, bounded(input)),
          }),
        ]),
      ),
    }),
  });
  try {
    let length = 0;
    for await (const part of result.stream) {
      if (part.type === "error" || part.type === "abort") throw new Error(part.type);
      if (part.type === "start-step") onPiece("step");
      if (part.type !== "text-delta") continue;
      if ((length += part.text.length) > MOST_CHARACTERS) throw new ModelTrouble("endless");
      onPiece({ text: part.text });
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
function bounded(input: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, String(value).slice(0, LONGEST_INPUT)]),
  );
}

function troubleOf(signal: AbortSignal): ModelTrouble {
  if (!signal.aborted) return new ModelTrouble("unreachable");
  return new ModelTrouble((signal.reason as Error | undefined)?.name === "TimeoutError" ? "timed_out" : "abandoned");
}
