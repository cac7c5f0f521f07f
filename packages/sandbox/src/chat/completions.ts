import { randomUUID } from "node:crypto";
import { setImmediate as nextTurnOfLoop, setTimeout as delay } from "node:timers/promises";
import { cutOff, applyServerFaults, type Fault, type Faults } from "../server/faults.ts";
import { type Handler, type Reply, createJsonReply } from "../server/http-server.ts";
import type { LastFacts } from "../server/last-facts.ts";
import { type ChatRequest, type FaultKind, type Message, type Turn, composeTurn } from "./speaker.ts";

export interface CompletionFact {
  at: string;
  /** Null where no answer was given. */
  status: number | null;
  tools: number;
  messages: number;
  left: boolean;
  /** Number of bytes that were read of an endless answer. */
  bytes?: number;
}

interface CompletionsOptions {
  /** Undefined takes any key, and none. */
  apiKey?: string;
  faults: Faults<FaultKind>;
  log: LastFacts<CompletionFact>;
}

/** `POST /v1/chat/completions`, whole or as a stream. */
export function createCompletionsHandler({ apiKey, faults, log }: CompletionsOptions): Handler {
  return async (exchange) => {
    const struck = faults.strike();
    const find = (kind: FaultKind): Fault<FaultKind> | undefined => struck.find((fault) => fault.kind === kind);
    const has = (kind: FaultKind): boolean => find(kind) !== undefined;
    const chatRequest = readRequest(await exchange.object());
    const fact: CompletionFact = {
      at: new Date().toISOString(),
      status: null,
      left: false,
      tools: typeof chatRequest === "string" ? 0 : chatRequest.tools.length,
      messages: typeof chatRequest === "string" ? 0 : chatRequest.messages.length,
    };
    log.add(fact);
    const answer = (reply: Reply): Reply => {
      fact.status = reply.status;
      return reply;
    };

    const failure = await applyServerFaults(struck, createProblem);
    if (failure) return failure === "hang" ? failure : answer(failure);
    if (has("key_refused") || (apiKey !== undefined && exchange.header("authorization") !== `Bearer ${apiKey}`))
      return answer(createJsonReply(401, createProblem("Incorrect API key provided")));
    if (typeof chatRequest === "string") return answer(createJsonReply(400, createProblem(chatRequest)));
    if (has("redirect"))
      return answer({
        status: 307,
        headers: { location: `http://${getOtherName(exchange.header("host") ?? "")}${exchange.path}` },
      });
    if (has("endless_bytes"))
      return answer({
        status: find("endless_bytes")?.value ?? 200,
        headers: { "content-type": "text/event-stream" },
        body: streamEndlessly((bytes) => (fact.bytes = bytes)),
      });
    const refused = findRefused(chatRequest, has);
    if (refused !== undefined) return answer(createJsonReply(400, createProblem(`Unsupported: ${refused}`)));
    const turn = composeTurn(chatRequest, has);
    if (!chatRequest.stream || has("not_json"))
      return answer(cutOff(struck, createJsonReply(200, createCompletion(chatRequest.model, turn))));
    const stream = streamEvents(chatRequest.model, turn, {
      dripMs: find("drip")?.value ?? 0,
      isCutOff: has("cut_off"),
      left: () => (fact.left = true),
    });
    return answer({ status: 200, headers: { "content-type": "text/event-stream" }, body: stream });
  };
}

interface Request extends ChatRequest {
  model: string;
  stream: boolean;
  /** Type of `response_format`. */
  format: string | undefined;
}

/** Finds what such a server does not take of a request. */
function findRefused({ format, tools, stream, messages }: Request, has: (kind: FaultKind) => boolean) {
  if (format === "json_schema" && has("no_json_schema")) return "response_format json_schema";
  if (format === "json_object" && has("no_json_object")) return "response_format json_object";
  if (tools.length > 0 && has("no_tools")) return "tools";
  if (stream && has("no_stream")) return "stream";
  if (has("no_system_role") && messages.some(({ role }) => role === "system")) return "the system role";
  return undefined;
}

function readRequest(body: Readonly<Record<string, unknown>> | undefined): Request | string {
  if (!body) return "We could not parse the JSON body of your request";
  const { model, messages, tools, stream, response_format: format } = body;
  if (typeof model !== "string") return "you must provide a model parameter";
  if (!Array.isArray(messages) || messages.length === 0) return "messages must be a list of at least one";
  const names = Array.isArray(tools)
    ? (tools as { function?: { name?: string } }[]).flatMap((tool) => tool.function?.name ?? [])
    : [];
  return {
    model,
    messages: messages as Message[],
    tools: names,
    stream: stream === true,
    format: (format as { type?: string } | undefined)?.type,
  };
}

function toMessage(turn: Turn) {
  if ("text" in turn) return { role: "assistant", content: turn.text };
  const { tool, input, times = 1 } = turn;
  return {
    role: "assistant",
    content: null,
    tool_calls: Array.from({ length: times }, (_, index) => ({
      id: `call_${randomUUID()}`,
      type: "function",
      // Several are of different models, as the same is looked up once.
      function: { name: tool, arguments: JSON.stringify(times === 1 ? input : { ...input, model: `model ${index}` }) },
    })),
  };
}

function createCompletion(model: string, turn: Turn) {
  return {
    id: `chatcmpl-${randomUUID()}`,
    object: "chat.completion",
    created: Math.floor(Date.now() / 1_000),
    model,
    choices: [{ index: 0, message: toMessage(turn), finish_reason: "text" in turn ? "stop" : "tool_calls" }],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  };
}

async function* streamEvents(
  model: string,
  turn: Turn,
  { dripMs, isCutOff, left }: { dripMs: number; isCutOff: boolean; left(): void },
): AsyncGenerator<string, void> {
  const id = `chatcmpl-${randomUUID()}`;
  const formatEvent = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id, object: "chat.completion.chunk", created: Math.floor(Date.now() / 1_000), model, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  let isToldToTheEnd = false;
  try {
    yield formatEvent({ role: "assistant", content: "" });
    if ("text" in turn) {
      const words = turn.text.match(/\S+\s*/g) ?? [];
      for (const word of isCutOff ? words.slice(0, Math.ceil(words.length / 2)) : words) {
        yield formatEvent({ content: word });
        if (dripMs > 0) await delay(dripMs);
      }
    } else {
      const { tool_calls } = toMessage(turn);
      yield formatEvent({ tool_calls: tool_calls!.map((call, index) => ({ index, ...call })) });
    }
    isToldToTheEnd = true;
    if (isCutOff) throw new Error("cut off");
    yield formatEvent({}, "text" in turn ? "stop" : "tool_calls");
    yield "data: [DONE]\n\n";
  } finally {
    if (!isToldToTheEnd) left();
  }
}

async function* streamEndlessly(onTaken: (bytes: number) => void): AsyncGenerator<string, void> {
  const piece = "x".repeat(65_536);
  yield "data: ";
  for (let bytes = piece.length; ; bytes += piece.length) {
    yield piece;
    onTaken(bytes);
    await nextTurnOfLoop();
  }
}

function getOtherName(host: string): string {
  return host.startsWith("localhost") ? host.replace("localhost", "127.0.0.1") : host.replace(/^[^:]*/, "localhost");
}

function createProblem(message: string) {
  return { error: { message, type: "invalid_request_error", code: null } };
}
