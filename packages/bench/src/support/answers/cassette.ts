import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { removeCredentials } from "../../../../parts-language/src/safe-text.ts";

/**
 * What a chat model answered, by what it was asked: a line of JSON for each, without credentials. A shop records its
 * own model once, and has its answers judged again without asking it.
 */
interface Recorded {
  /** SHA-256 of the request, without the marks that no two of them share. */
  key: string;
  /** That was asked. */
  model: string;
  type: string;
  body: string;
}

export interface Cassette {
  /** In place of LLM_BASE_URL. */
  url: string;
  /** The model of the last recorded answer; undefined if there is none. */
  model: string | undefined;
  /** Requests that were answered of the cassette, that were recorded, and that could be neither. */
  counts: { replayed: number; recorded: number; missing: number };
  /** Why the endpoint's answers could not be recorded, with how often. */
  failures: ReadonlyMap<string, number>;
  /** Waits for what is being recorded. */
  close(): Promise<void>;
}

export interface Upstream {
  baseUrl: string;
  apiKey?: string;
}

/** Matches what `fence` puts around texts, and ids of tool calls. */
const MARKS = /[0-9a-f]{16}|call_[\w-]+/g;
/** An answer that the desk no longer waits for is recorded all the same; milliseconds. */
const LONGEST_ANSWER = 120_000;
/** No sentence: the desk answers without the model, and its circuit breaker stays closed. */
const NO_SENTENCE = { index: 0, delta: { content: '{"sentences": []}' }, finish_reason: "stop" };
const LACKING = `data: ${JSON.stringify({ choices: [NO_SENTENCE] })}\n\ndata: [DONE]\n\n`;

/**
 * @param upstream answers and is recorded where the cassette has nothing; without it such a request has no sentence
 * @throws Error if a line of the file is no answer
 */
export async function openCassette(file: string, upstream: Upstream | undefined): Promise<Cassette> {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const recorded = lines.flatMap((line, index) => (line === "" ? [] : [readLine(line, `${file}, line ${index + 1}`)]));
  const recordedByKey = new Map(recorded.map((entry) => [entry.key, entry]));
  const counts = { replayed: 0, recorded: 0, missing: 0 };
  const failures = new Map<string, number>();
  const answerTo = async (path: string, body: string): Promise<{ status: number; type: string; body: string }> => {
    const key = createHash("sha256").update(path).update(body.replace(MARKS, "")).digest("hex");
    const recordedAnswer = recordedByKey.get(key);
    if (recordedAnswer) {
      counts.replayed += 1;
      return { status: 200, ...recordedAnswer };
    }
    if (!upstream) {
      counts.missing += 1;
      return { status: 200, type: "text/event-stream", body: LACKING };
    }
    const response = await fetch(`${upstream.baseUrl.replace(/\/$/, "")}${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(upstream.apiKey !== undefined && { authorization: `Bearer ${upstream.apiKey}` }),
      },
      body,
      signal: AbortSignal.timeout(LONGEST_ANSWER),
    });
    const type = response.headers.get("content-type") ?? "application/json";
    const answer = { key, model: (JSON.parse(body) as { model: string }).model, type, body: await response.text() };
    if (!response.ok) throw new Error(`it answers ${response.status}`);
    recordedByKey.set(key, answer);
    appendFileSync(file, `${JSON.stringify(answer)}\n`);
    counts.recorded += 1;
    return { status: 200, ...answer };
  };
  const pending = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const answering = readBody(request)
      .then((body) => answerTo(request.url ?? "/", body))
      .catch((error: unknown) => {
        const reason = describeError(error);
        failures.set(reason, (failures.get(reason) ?? 0) + 1);
        return { status: 502, type: "application/json", body: JSON.stringify({ error: { message: reason } }) };
      })
      .then(({ status, type, body }) => {
        response.writeHead(status, { "content-type": type }).end(body);
      })
      .finally(() => pending.delete(answering));
    pending.add(answering);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    model: recorded.at(-1)?.model,
    counts,
    failures,
    close: async () => {
      await Promise.all(pending);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readLine(line: string, place: string): Recorded {
  try {
    const { key, model, type, body } = JSON.parse(line) as Partial<Recorded>;
    if (key !== undefined && model !== undefined && type !== undefined && body !== undefined)
      return { key, model, type, body };
  } catch {
    // As what has not all of it.
  }
  throw new Error(`${place}: this is no recorded answer; delete the line, or record again into another file`);
}

/** Without credentials, which the address may have. */
function describeError(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string } };
  return removeCredentials(cause?.code ?? message);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
