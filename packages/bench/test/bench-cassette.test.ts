import { afterEach, expect, test } from "@jest/globals";
import { appendFileSync, mkdtempSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCassette } from "../src/support/answers/cassette.ts";

let upstream: Server | undefined;
afterEach(() => void upstream?.close());

const HELLO = "data: hello\n\n";
const bodyOf = (question: string): string => JSON.stringify({ model: "own", messages: [{ content: question }] });

/** A model that answers with a status; `heard` are the credentials of those who asked. */
async function startUpstream(status = 200): Promise<{ baseUrl: string; heard: (string | undefined)[]; file: string }> {
  const heard: (string | undefined)[] = [];
  upstream = createServer((request, response) => {
    heard.push(request.headers.authorization);
    response.writeHead(status, { "content-type": "text/event-stream" }).end(HELLO);
  });
  await new Promise<void>((resolve) => upstream!.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
  return { baseUrl, heard, file: join(mkdtempSync(join(tmpdir(), "cassette-")), "a.jsonl") };
}

async function ask(url: string, question: string): Promise<[number, string]> {
  const response = await fetch(`${url}/chat/completions`, { method: "POST", body: bodyOf(question) });
  return [response.status, await response.text()];
}

test("a model's answers are recorded without its key, and replayed where only marks differ", async () => {
  const { baseUrl, heard, file } = await startUpstream();
  const recording = await openCassette(file, { baseUrl, apiKey: "secret-key" });
  expect(await ask(recording.url, "QUESTION <<<0123456789abcdef")).toEqual([200, HELLO]);
  expect(recording.counts).toEqual({ replayed: 0, recorded: 1, missing: 0 });
  await recording.close();
  expect(heard).toEqual(["Bearer secret-key"]);
  expect(readFileSync(file, "utf8")).not.toContain("secret-key");

  const replaying = await openCassette(file, undefined);
  expect(replaying.model).toBe("own");
  expect(await ask(replaying.url, "QUESTION <<<fedcba9876543210")).toEqual([200, HELLO]);
  // A failure would have the desk leave the model alone, and what the cassette has unheard.
  expect(await ask(replaying.url, "ANOTHER")).toEqual([200, expect.stringContaining('{\\"sentences\\": []}')]);
  expect(replaying.counts).toEqual({ replayed: 1, recorded: 0, missing: 1 });
  await replaying.close();
});

test("an answer that the desk no longer waits for is recorded before the cassette closes", async () => {
  const { baseUrl, file } = await startUpstream();
  const recording = await openCassette(file, { baseUrl });
  const leaving = new AbortController();
  const left = fetch(`${recording.url}/chat/completions`, {
    method: "POST",
    body: bodyOf("QUESTION"),
    signal: leaving.signal,
  });
  // Headers and body are on their way.
  await new Promise((resolve) => upstream!.once("request", resolve));
  leaving.abort();
  await left.catch(() => undefined);
  await recording.close();
  expect(recording.counts.recorded).toBe(1);
});

test("what an endpoint refuses is not recorded, and the reason is counted without its address", async () => {
  const { baseUrl, file } = await startUpstream(401);
  const recording = await openCassette(file, { baseUrl: baseUrl.replace("http://", "http://name:word@") });
  expect((await ask(recording.url, "QUESTION"))[0]).toBe(502);
  await recording.close();
  const refused = await openCassette(file, { baseUrl });
  expect((await ask(refused.url, "QUESTION"))[0]).toBe(502);
  expect([...refused.failures]).toEqual([["it answers 401", 1]]);
  expect([...recording.failures].flat().join()).not.toContain("word");
  await refused.close();
  const empty = await openCassette(file, undefined);
  expect(empty.model).toBeUndefined();
  await empty.close();
});

test("a line that is no answer, as of a run that was killed, is named", async () => {
  const { file } = await startUpstream();
  appendFileSync(file, '{"key":"a","model":"own","type":"x","body":""}\n{"key":"b","mod');
  await expect(openCassette(file, undefined)).rejects.toThrow(`${file}, line 2: this is no recorded answer`);
});
