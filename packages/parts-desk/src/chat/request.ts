import type { Dialect } from "./dialect.ts";
import { INSTRUCTIONS, LOOKUPS, type LookUp } from "./prompt.ts";

/** An OpenAI-compatible endpoint. */
export interface ChatModelLocation {
  baseUrl: string;
  apiKey?: string;
  model: string;
  /** Longest wait of an answer for it. */
  timeoutSeconds: number;
}

/** What a model says next; a step begins what it says after a look-up. */
export type Piece = { text: string } | { step: true };

export interface Task {
  prompt: string;
  lookUp?: LookUp;
  /** Asks for sentences in the dialect's form. */
  isFormatted: boolean;
  maxTokens: number;
  /** Tries after the first that failed before a word. */
  retries: number;
  signal: AbortSignal;
}

/** Why a model gave no answer. */
export type Trouble = "timed_out" | "unreachable" | "refused" | "endless" | "circuit_open" | "abandoned";

export class ModelTrouble extends Error {
  readonly trouble: Trouble;
  /** HTTP status of a refusal. */
  readonly status: number | undefined;
  /** What the server said of it, in its words: for the log alone. */
  readonly detail: string | undefined;
  constructor(trouble: Trouble, { status, detail }: { status?: number | undefined; detail?: string | undefined } = {}) {
    super(detail ?? trouble);
    this.trouble = trouble;
    this.status = status;
    this.detail = detail;
  }
}

export const TEMPERATURE = 0;
/** Steps of one answer: look-ups, and the words. */
const MOST_STEPS = 7;
/** A model may call for hundreds of look-ups in one step. */
const LOOKUPS_AT_A_TIME = 4;
const LONGEST_INPUT = 200;
/** Of all that a model says in one conversation, what it says beside its look-ups included. */
export const MOST_CHARACTERS = 50_000;
/** Bytes of one answer: some ten thousand tokens, each in an event of its own. */
const MOST_BYTES = 4_000_000;
/** Of what a server says of its refusal. */
const LONGEST_DETAIL = 300;
const ANSWER_TOOL = "answer";

/**
 * Holds one conversation with the model, its look-ups included. @returns whether it gave its answer as a tool's input
 * @throws ModelTrouble
 */
export async function holdConversation(
  { baseUrl, apiKey, model }: ChatModelLocation,
  { format, hasTools, isStreamed, hasSystemRole }: Dialect,
  { prompt, lookUp, isFormatted, maxTokens, retries, signal }: Task,
  onPiece: (piece: Piece) => void,
): Promise<{ hasCalledAnswer: boolean }> {
  const [
    { streamText, tool, jsonSchema, stepCountIs, Output, wrapLanguageModel, simulateStreamingMiddleware },
    { createOpenAICompatible },
  ] = await Promise.all([import("ai"), import("@ai-sdk/openai-compatible")]);
  const createTextSchema = <T>(properties: Record<string, object>, required: readonly string[]) =>
    jsonSchema<T>({ type: "object", properties, required: [...required], additionalProperties: false });
  const sentencesSchema = createTextSchema<{ sentences: string[] }>(
    { sentences: { type: "array", items: { type: "string" } } },
    ["sentences"],
  );
  // The log has lines of its own form.
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
  const over = new AbortController();
  let isEndless = false;
  let refusal: Refusal | undefined;
  const endpoint = createOpenAICompatible({
    name: "llm",
    baseURL: baseUrl,
    fetch: createBoundedFetch({
      onEndless: () => (isEndless = true),
      onRefusal: (status, text) => (refusal = { status, detail: readDetail(text, apiKey) }),
    }),
    supportsStructuredOutputs: format === "json_schema",
    ...(apiKey === undefined ? {} : { apiKey }),
  })(model);
  const isToolFormat = isFormatted && format === "tool";
  const lookUpWith = hasTools ? lookUp : undefined;
  const lookUps = Object.entries(lookUpWith ? LOOKUPS : {}).map(([name, { description, inputs }]) => [
    name,
    tool({
      description,
      inputSchema: createTextSchema<Record<string, unknown>>(
        Object.fromEntries(inputs.map((inputName) => [inputName, { type: "string", maxLength: LONGEST_INPUT }])),
        inputs.slice(0, 1),
      ),
      execute: (input: Record<string, unknown>) => lookUpWith?.(name as keyof typeof LOOKUPS, limitInputs(input)),
    }),
  ]);
  const answer = isToolFormat
    ? [[ANSWER_TOOL, tool({ description: "Gives the answer.", inputSchema: sentencesSchema })]]
    : [];
  const tools = [...lookUps, ...answer];
  const result = streamText({
    model: isStreamed ? endpoint : wrapLanguageModel({ model: endpoint, middleware: simulateStreamingMiddleware() }),
    ...(hasSystemRole ? { instructions: INSTRUCTIONS, prompt } : { prompt: `${INSTRUCTIONS}\n\n${prompt}` }),
    temperature: TEMPERATURE,
    maxOutputTokens: maxTokens,
    maxRetries: retries,
    stopWhen: stepCountIs(MOST_STEPS),
    toolCallConcurrency: LOOKUPS_AT_A_TIME,
    abortSignal: AbortSignal.any([signal, over.signal]),
    // Its own way of reporting is the console.
    onError: () => undefined,
    ...(isFormatted && /^json/.test(format) && { output: Output.object({ schema: sentencesSchema }) }),
    ...(tools.length > 0 && { tools: Object.fromEntries(tools) }),
    ...(isToolFormat && lookUps.length === 0 && { toolChoice: { type: "tool", toolName: ANSWER_TOOL } as const }),
  });
  try {
    let length = 0;
    let hasCalledAnswer = false;
    let input = "";
    for await (const part of result.stream) {
      if (part.type === "error" || part.type === "abort") throw new Error(part.type);
      if (part.type === "start-step") onPiece({ step: true });
      const isAnswer = "toolName" in part && part.toolName === ANSWER_TOOL;
      if (isAnswer) hasCalledAnswer = true;
      let text = part.type === "text-delta" ? part.text : "";
      if (part.type === "tool-input-delta" && hasCalledAnswer) input += text = part.delta;
      // Of an answer that comes whole there are no pieces.
      if (part.type === "tool-call" && isAnswer && input === "") text = JSON.stringify(part.input);
      if (text === "") continue;
      if ((length += text.length) > MOST_CHARACTERS) throw new ModelTrouble("endless");
      onPiece({ text });
    }
    signal.throwIfAborted();
    return { hasCalledAnswer };
  } catch (error) {
    if (error instanceof ModelTrouble) throw error;
    if (isEndless) throw new ModelTrouble("endless");
    if (!signal.aborted) throw new ModelTrouble(refusal ? "refused" : "unreachable", refusal);
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

interface Refusal {
  status: number;
  detail: string | undefined;
}

/**
 * Reads what a server says of a refusal: its `error.message`, `message` or `detail`, in one short line without the key.
 */
function readDetail(text: string, apiKey: string | undefined): string | undefined {
  let message: unknown;
  try {
    const body = JSON.parse(text) as { error?: { message?: unknown } | string; message?: unknown; detail?: unknown };
    message = (typeof body.error === "object" ? body.error.message : body.error) ?? body.message ?? body.detail;
  } catch {
    return undefined;
  }
  if (typeof message !== "string") return undefined;
  const line = message.replace(/\s+/g, " ").trim().slice(0, LONGEST_DETAIL);
  return apiKey === undefined ? line : line.replaceAll(apiKey, "…");
}

interface FetchEvents {
  onEndless(): void;
  /** @param text the beginning of its body */
  onRefusal(status: number, text: string): void;
}

/**
 * Takes no more of an answer than a model says in one, and follows no redirect: that would carry the key away, and may
 * lead into our own network.
 */
function createBoundedFetch({ onEndless, onRefusal }: FetchEvents): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: "error" });
    const { status, statusText, headers, body } = response;
    if (!response.ok || body === null) {
      onRefusal(status, body === null ? "" : await readBeginning(body));
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

async function readBeginning(body: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    // Leaving the loop cancels the rest.
    if (text.length > 20 * LONGEST_DETAIL) break;
  }
  return text;
}
