import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { load } from "../src/support/load.ts";

let answers = 0;
const server = createServer((_request, response) => {
  answers += 1;
  response.writeHead(answers % 2 === 0 ? 429 : 200).end();
});
const { exitCode } = process;
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  process.exitCode = exitCode;
  server.closeAllConnections();
  server.close();
});

test("a refusal is not speed: it is counted as failed, and the bench ends with 1", async () => {
  const { port } = server.address() as AddressInfo;
  const { requestsPerSecond, failed } = await load({ url: `http://127.0.0.1:${port}/` }, 1, 1);
  expect(process.exitCode).toBe(1);
  expect(failed).toBeGreaterThan(0);
  // One of two answers.
  expect(Math.abs(requestsPerSecond - failed)).toBeLessThan(failed * 0.5 + 2);
});
