import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type ScriptedAnswer = (response: ServerResponse, request: IncomingMessage) => void;

export interface ScriptedServer {
  url: string;
  /** What came, in the order of its arrival. */
  requests: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[];
  /** The answers to come, in turn; the last one is given for ever. */
  script: ScriptedAnswer[];
  close(): Promise<void>;
}

/** A provider that answers what a test wrote down, over real HTTP. */
export async function startScriptedServer(...script: ScriptedAnswer[]): Promise<ScriptedServer> {
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      server.requests.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      const answer = server.script.length > 1 ? server.script.shift()! : server.script[0]!;
      answer(response, request);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const server: ScriptedServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests: [],
    script,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return server;
}

export const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): ScriptedAnswer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
  };
export const status =
  (code: number, headers: Record<string, string> = {}): ScriptedAnswer =>
  (response) =>
    void response.writeHead(code, headers).end("no");
export const text =
  (body: string): ScriptedAnswer =>
  (response) =>
    void response.end(body);
/** Never answers. */
export const hang: ScriptedAnswer = () => undefined;
/** Ends the connection without a word. */
export const hangUp: ScriptedAnswer = (response) => void response.destroy();
/** Begins an answer and never ends it. */
export const stall: ScriptedAnswer = (response) =>
  void response.writeHead(200, { "content-type": "application/json" }).write('{"items":[');
