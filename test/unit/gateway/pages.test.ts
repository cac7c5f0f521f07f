import { once } from "node:events";
import { createServer, get, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "@jest/globals";
import type { ExportPage } from "../../../broker/contract/export-page.ts";
import { EdgeRequest } from "@partline/http-edge";
import { sendPages, type NextPage } from "../../../gateway/http/response/pieces.ts";
import { PartlineError } from "../../../mixins/errors.ts";
import { eventually } from "../../support/eventually.ts";

const pageOf = (content: string, next: string | null): ExportPage => ({
  type: "application/x-ndjson",
  name: "rows.ndjson",
  text: content,
  next,
});

let server: Server;
let failures: unknown[];
let brokenOffWith: number | undefined;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function serve(first: ExportPage, next: NextPage): Promise<number> {
  failures = [];
  brokenOffWith = undefined;
  server = createServer({ IncomingMessage: EdgeRequest }, (req, res) => {
    const exchange = {
      requestId: "r",
      startedAt: 0,
      path: "/",
      query: "",
      routeLabel: "/",
      pathValues: [],
      headers: {},
      brokenOffWith: undefined as number | undefined,
    };
    req.exchange = exchange as never;
    sendPages(req, res, first, next).catch((error: unknown) => {
      failures.push(error);
      brokenOffWith = exchange.brokenOffWith;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const answerOf = async (port: number): Promise<IncomingMessage> => {
  const [answer] = (await once(get({ port }), "response")) as [IncomingMessage];
  return answer;
};

test("pages follow each other, and empty ones end nothing", async () => {
  const pages = [pageOf("a\n", "1"), pageOf("", "2"), pageOf("b\n", null)];
  const port = await serve(pages[0]!, (position) => Promise.resolve(pages[Number(position)]!));
  const answer = await answerOf(port);
  expect(answer.headers["content-type"]).toBe("application/x-ndjson");
  expect(await text(answer)).toBe("a\nb\n");
});

test("a page that cannot be read cuts the connection: nobody takes the rest for the whole", async () => {
  const port = await serve(pageOf("a\n", "1"), () => Promise.reject(new PartlineError("DATABASE_UNAVAILABLE", "Away")));
  await expect(text(await answerOf(port))).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(failures).toMatchObject([{ code: "DATABASE_UNAVAILABLE" }]);
  expect(brokenOffWith).toBe(503);
});

test("no more is read than the client takes, and nothing once it has left", async () => {
  let read = 0;
  const megabyte = "x".repeat(1_048_576);
  const port = await serve(pageOf(megabyte, "0"), (position) => {
    read += 1;
    return Promise.resolve(pageOf(megabyte, String(Number(position) + 1)));
  });
  const answer = await answerOf(port);
  answer.pause();
  const stands = async (): Promise<boolean> => {
    const before = read;
    await new Promise((resolve) => setTimeout(resolve, 200));
    return read === before && read > 0;
  };
  await eventually(stands);
  expect(read).toBeLessThan(20);
  const atLeaving = read;
  answer.destroy();
  await eventually(stands);
  expect(read).toBeLessThanOrEqual(atLeaving + 2);
});
