import { afterEach, expect, test } from "@jest/globals";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCassette } from "../../bench/support/answers/cassette.ts";

let upstream: Server | undefined;
afterEach(() => void upstream?.close());

test("a model's answers are recorded without its key, and replayed where only marks differ", async () => {
  const heard: (string | undefined)[] = [];
  upstream = createServer((request, response) => {
    heard.push(request.headers.authorization);
    response.writeHead(200, { "content-type": "text/event-stream" }).end("data: hello\n\n");
  });
  await new Promise<void>((resolve) => upstream!.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
  const file = join(mkdtempSync(join(tmpdir(), "cassette-")), "a.jsonl");
  const ask = async (url: string, body: string): Promise<[number, string]> => {
    const response = await fetch(`${url}/chat/completions`, { method: "POST", body });
    return [response.status, await response.text()];
  };

  const recording = await openCassette(file, { baseUrl, apiKey: "secret-key" });
  expect(await ask(recording.url, "QUESTION <<<0123456789abcdef")).toEqual([200, "data: hello\n\n"]);
  expect(recording.counts).toEqual({ replayed: 0, recorded: 1, missing: 0 });
  await recording.close();
  expect(heard).toEqual(["Bearer secret-key"]);
  expect(readFileSync(file, "utf8")).not.toContain("secret-key");

  const replaying = await openCassette(file, undefined);
  expect(await ask(replaying.url, "QUESTION <<<fedcba9876543210")).toEqual([200, "data: hello\n\n"]);
  expect((await ask(replaying.url, "ANOTHER"))[0]).toBe(404);
  expect(replaying.counts).toEqual({ replayed: 1, recorded: 0, missing: 1 });
  await replaying.close();
});
