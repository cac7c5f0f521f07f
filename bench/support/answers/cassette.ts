import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * What a chat model answered, by what it was asked: a line of JSON for each, without credentials. A shop records its own
 * model once, and has its answers judged again without asking it.
 */
interface Recorded {
  /** SHA-256 of the request, without the marks that no two of them share. */
  key: string;
  status: number;
  type: string;
  body: string;
}

export interface Cassette {
  /** In place of LLM_BASE_URL. */
  url: string;
  /** Requests that were answered of the cassette, that were recorded, and that could be neither. */
  counts: { replayed: number; recorded: number; missing: number };
  close(): Promise<void>;
}

export interface Upstream {
  baseUrl: string;
  apiKey?: string;
}

/** What `fence` puts around texts, and ids of tool calls. */
const MARKS = /[0-9a-f]{16}|call_[\w-]+/g;

/** @param upstream answers and is recorded where the cassette has nothing; without it such a request is a 404 */
export async function openCassette(file: string, upstream: Upstream | undefined): Promise<Cassette> {
  const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  const known = new Map(
    lines
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Recorded)
      .map((each) => [each.key, each]),
  );
  const counts = { replayed: 0, recorded: 0, missing: 0 };
  const answerTo = async (path: string, body: string): Promise<Recorded | undefined> => {
    const key = createHash("sha256").update(path).update(body.replace(MARKS, "")).digest("hex");
    const heard = known.get(key);
    if (heard) {
      counts.replayed += 1;
      return heard;
    }
    if (!upstream) {
      counts.missing += 1;
      return undefined;
    }
    const response = await fetch(`${upstream.baseUrl.replace(/\/$/, "")}${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(upstream.apiKey !== undefined && { authorization: `Bearer ${upstream.apiKey}` }),
      },
      body,
    });
    const type = response.headers.get("content-type") ?? "application/json";
    const recorded = { key, status: response.status, type, body: await response.text() };
    if (response.ok) {
      known.set(key, recorded);
      appendFileSync(file, `${JSON.stringify(recorded)}\n`);
      counts.recorded += 1;
    }
    return recorded;
  };
  const server = createServer((request, response) => {
    void bodyOf(request)
      .then((body) => answerTo(request.url ?? "/", body))
      .then((recorded) => {
        response.writeHead(recorded?.status ?? 404, { "content-type": recorded?.type ?? "application/json" });
        response.end(recorded?.body ?? '{"error":{"message":"not on the cassette"}}');
      })
      .catch((error: unknown) => response.writeHead(502).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
