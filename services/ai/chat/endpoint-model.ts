import { Readable } from "node:stream";
import type { ChatModelLocation } from "../../../broker/settings/models.ts";
import { createCircuitBreaker, type CircuitBreakerOptions } from "../../../mixins/http/circuit-breaker.ts";
import { type SpanOptions, withSpan } from "@partline/toolkit";
import type { Evidence } from "../desk/evidence.ts";
import type { DeskEvent } from "../desk/desk-event.ts";
import type { Facts } from "../desk/facts.ts";
import type { DeskSources } from "../desk/port.ts";
import { createFence, createLookUp, INSTRUCTIONS, LOOKUPS, renderPrompt, type LookUp } from "./prompt.ts";

/** What a model made of the facts: sentences that hold against them, or why there are none. */
export type ModelReply =
  | { answer: string; /** With their placeholders. */ sentences: string }
  /** `reason` as an answer says it: `The chat model did not answer in time`. */
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
/** Bytes of one answer: some ten thousand tokens, each in an event of its own. */
const MOST_BYTES = 4_000_000;

/** What became of asking the model, and how an answer says it. */
const REASONS = {
  timed_out: "The chat model did not answer in time",
  unreachable: "The chat model could not be asked",
  endless: "The chat model did not come to an end",
  circuit_open: "The chat model is left alone for a moment, as it failed too often",
  abandoned: "Nobody waits for the chat model",
};
type Trouble = keyof typeof REASONS;

class ModelTrouble extends Error {
  readonly trouble: Trouble;
  constructor(trouble: Trouble) {
    super(trouble);
    this.trouble = trouble;
  }
}

const toTrouble = (error: unknown): Trouble => (error instanceof ModelTrouble ? error.trouble : "unreachable");

/** By the conventions for generative models; what is asked and said stays out of it. */
const SPAN: SpanOptions = {
  kind: "client",
  attributes: { "gen_ai.operation.name": "chat", "partline.provider": "chat-model" },
};

/** Creates the model behind an OpenAI-compatible endpoint; each sentence is checked before its facts are filled in. */
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
  const withTimeout = (...signals: readonly AbortSignal[]): AbortSignal =>
    AbortSignal.any([AbortSignal.timeout(location.timeoutSeconds * 1_000), ...signals]);

  return {
    name: location.model,
    async *answer({ question }, facts, { sources, lead, signal }): AsyncGenerator<DeskEvent, ModelReply> {
      const fence = createFence();
      const abort = new AbortController();
      const pieces = new Readable({ objectMode: true, highWaterMark: MOST_CHARACTERS, read: () => undefined });
      const task: Task = {
        prompt: renderPrompt(question.text, facts, fence),
        lookUp: createLookUp(sources, facts, fence),
        signal: withTimeout(abort.signal, ...(signal ? [signal] : [])),
      };
      // The breaker counts all of an answer as one attempt.
      const asking = guarded(() =>
        withSpan(`chat ${location.model}`, SPAN, () => speak(location, task, (piece) => pieces.push(piece))),
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
        return answer === "" ? refuse("nothing that was found") : { answer, sentences: sentences.join(" ") };
      } catch (error) {
        onFailure(toTrouble(error));
        return toFailure(REASONS[toTrouble(error)]);
      } finally {
        abort.abort();
        await asking;
      }
    },
    async findFailure() {
      let words = "";
      const hear = (piece: Piece): void => void (words += "text" in piece ? piece.text : "");
      try {
        await guarded(() => speak(location, { prompt: "Say: ready", signal: withTimeout() }, hear));
        return words.trim() === "" ? "The chat model said nothing" : undefined;
      } catch (error) {
        return REASONS[toTrouble(error)];
      }
    },
  };
}

/** What a model says next; a step begins what it says after a look-up. */
type Piece = { text: string } | { step: true } | { error: unknown };

/** Parses the sentences of `{"sentences": […]}` as they are complete; other JSON has none. @throws ModelTrouble */
async function* parseSentences(pieces: AsyncIterable<Piece>): AsyncGenerator<string, void> {
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

interface Task {
  prompt: string;
  lookUp?: LookUp;
  signal: AbortSignal;
}

/** Holds one conversation with the model, its look-ups included. @throws ModelTrouble */
async function speak(
  { baseUrl, apiKey, model }: ChatModelLocation,
  { prompt, lookUp, signal }: Task,
  onPiece: (piece: Piece) => void,
): Promise<void> {
  const [{ streamText, tool, jsonSchema, stepCountIs, Output }, { createOpenAICompatible }] = await Promise.all([
    import("ai"),
    import("@ai-sdk/openai-compatible"),
  ]);
  const createTextSchema = <T>(properties: Record<string, object>, required: readonly string[]) =>
    jsonSchema<T>({ type: "object", properties, required: [...required], additionalProperties: false });
  // The log has lines of its own form.
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
  const over = new AbortController();
  let isEndless = false;
  const result = streamText({
    model: createOpenAICompatible({
      name: "llm",
      baseURL: baseUrl,
      fetch: createBoundedFetch(() => (isEndless = true)),
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
        schema: createTextSchema<{ sentences: string[] }>({ sentences: { type: "array", items: { type: "string" } } }, [
          "sentences",
        ]),
      }),
      tools: Object.fromEntries(
        Object.entries(LOOKUPS).map(([name, { description, inputs }]) => [
          name,
          tool({
            description,
            inputSchema: createTextSchema<Record<string, unknown>>(
              Object.fromEntries(inputs.map((inputName) => [inputName, { type: "string", maxLength: LONGEST_INPUT }])),
              inputs.slice(0, 1),
            ),
            execute: (input) => lookUp(name as keyof typeof LOOKUPS, limitInputs(input)),
          }),
        ]),
      ),
    }),
  });
  try {
    let length = 0;
    for await (const part of result.stream) {
      if (part.type === "error" || part.type === "abort") throw new Error(part.type);
      if (part.type === "start-step") onPiece({ step: true });
      if (part.type !== "text-delta") continue;
      if ((length += part.text.length) > MOST_CHARACTERS) throw new ModelTrouble("endless");
      onPiece({ text: part.text });
    }
    signal.throwIfAborted();
  } catch (error) {
    if (error instanceof ModelTrouble) throw error;
    if (isEndless || !signal.aborted) throw new ModelTrouble(isEndless ? "endless" : "unreachable");
    const isLate = (signal.reason as Error | undefined)?.name === "TimeoutError";
    throw new ModelTrouble(isLate ? "timed_out" : "abandoned");
  } finally {
    over.abort();
  }
}

/** Makes short texts of what a model sends as inputs, which may be anything. */
function limitInputs(input: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, String(value).slice(0, LONGEST_INPUT)]),
  );
}

/**
 * Takes no more of an answer than a model says in one, nothing of an error but its status, and follows no redirect:
 * that would carry the key away, and may lead into our own network.
 */
function createBoundedFetch(onEndless: () => void): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: "error" });
    const { status, statusText, headers, body } = response;
    if (!response.ok || body === null) {
      await body?.cancel();
      return new Response(null, { status, statusText, headers });
    }
    let bytes = 0;
    const bound = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes <= MOST_BYTES) {
          controller.enqueue(chunk);
          return;
        }
        onEndless();
        controller.error(new Error(`It is longer than ${MOST_BYTES} bytes`));
      },
    });
    return new Response(body.pipeThrough(bound), { status, statusText, headers });
  };
}
