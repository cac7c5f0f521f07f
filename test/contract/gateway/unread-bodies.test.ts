import { connect, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import type { ServiceSchema } from "moleculer";
import { ENTRY_POINTS, type EntryPoint, type ServiceContract } from "../../../broker/contract/define.ts";
import { toPortSetting } from "../../../broker/settings/addresses.ts";
import { createEntryPointService } from "../../../gateway/http/entry-point.ts";
import { createRouteTable, type Route } from "../../../gateway/http/routes.ts";
import { PartlineError } from "../../../mixins/errors.ts";
import { contracts } from "../../../services/all-contracts.ts";
import { freePorts } from "../../support/ports.ts";
import { startTestBroker, type TestBroker } from "../../support/test-broker.ts";
import { testSettings } from "../../support/test-settings.ts";

const ALL: readonly ServiceContract[] = contracts;
/** Longer than a body may be silent, and than what is unread of it may take after the answer; milliseconds. */
const LONG = 130_000;

/** Every service refuses everything, and reads no body, as the catalog does for an unknown vendor. */
const refusingService = ({ name, actions }: ServiceContract): ServiceSchema => ({
  name,
  actions: Object.fromEntries(
    Object.keys(actions).map((action) => [
      action,
      () => {
        throw new PartlineError("NOT_FOUND", "There is no such thing");
      },
    ]),
  ),
});

const ROUTES = ENTRY_POINTS.flatMap((entry) =>
  createRouteTable(ALL, entry)
    .routes.filter(({ bodyKind }) => bodyKind !== "none")
    .map((route) => ({ entry, route })),
);

/** How a request is refused. */
const FLAWS = ["action", "credential", "path", "method", "type", "length", "encoding", "host"] as const;
/** What the client does with its body; `stalls`: it sends half of it, and stays. */
const WAYS = ["sends", "sends slowly", "breaks off", "stalls"] as const;

interface Sent {
  entry: EntryPoint;
  route: Route;
  flaw: (typeof FLAWS)[number];
  way: (typeof WAYS)[number];
  connection: "keep-alive" | "close";
  bytes: number;
  isChunked: boolean;
}

const sentRequests: fc.Arbitrary<Sent> = fc
  .record({
    // Half of them are of the few that read a body as it comes.
    at: fc.oneof(
      fc.constantFrom(...ROUTES),
      fc.constantFrom(...ROUTES.filter(({ route }) => route.bodyKind === "stream")),
    ),
    flaw: fc.constantFrom(...FLAWS),
    way: fc.constantFrom(...WAYS),
    connection: fc.constantFrom("keep-alive" as const, "close" as const),
    bytes: fc.oneof(fc.constant(0), fc.nat(10_000), fc.integer({ min: 100_000, max: 5_000_000 })),
    isChunked: fc.boolean(),
  })
  .map(({ at, ...rest }) => ({ ...at, ...rest }));

function headOf({ route, flaw, connection, bytes, isChunked }: Sent): string {
  const { method, path, http } = route;
  const type = flaw === "type" ? "text/x-unknown" : (http.consumes?.[0] ?? "application/json");
  const target = path.replace(/\{[^}]+\}/g, "abc");
  const line = `${flaw === "method" ? "LOCK" : method} ${flaw === "path" ? "/nothing/here" : target} HTTP/1.1`;
  return [
    line,
    ...(flaw === "host" ? [] : ["Host: shop.example"]),
    ...(flaw === "credential" ? [] : ["X-Admin-Token: test-admin-token"]),
    ...(flaw === "encoding" ? ["Content-Encoding: gzip"] : []),
    `Content-Type: ${type}${type.startsWith("multipart/") ? "; boundary=x" : ""}`,
    isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${flaw === "length" ? 10 ** 9 : bytes}`,
    `Connection: ${connection}`,
    "",
    "",
  ].join("\r\n");
}

const PIECE = Buffer.alloc(64 * 1024, "a");

interface Outcome {
  sent: Sent;
  socket: Socket;
  answer: string;
}

describe.each(["local", "fake"] as const)("A body that nobody reads, with services on a %s broker", (transport) => {
  let system: TestBroker;
  let first: number;
  const warnings: Error[] = [];
  const noteWarning = (warning: Error): unknown => warnings.push(warning);

  beforeAll(async () => {
    process.on("warning", noteWarning);
    first = await freePorts(ENTRY_POINTS.length);
    const ports = ENTRY_POINTS.map((entry, index) => [toPortSetting(entry), String(first + index)]);
    system = await startTestBroker({
      services: [
        ...ALL.map((contract) => () => refusingService(contract)),
        ...ENTRY_POINTS.map((entry) => (broker: TestBroker["broker"]) => createEntryPointService(broker, entry)),
      ],
      transport,
      settings: testSettings({ ...Object.fromEntries(ports), ADMIN_TOKEN: "test-admin-token" }),
    });
  });
  afterAll(async () => {
    process.off("warning", noteWarning);
    await system.stop();
  });

  /** Resolves when the client has done its part and, unless it stalls or has left, has its answer or no connection. */
  async function ask(sent: Sent): Promise<Outcome> {
    const socket = connect(first + ENTRY_POINTS.indexOf(sent.entry), "127.0.0.1").setNoDelay(true);
    const outcome: Outcome = { sent, socket, answer: "" };
    const over = new Promise<void>((resolve) => {
      socket.on("data", (chunk: Buffer) => {
        outcome.answer += chunk.toString("latin1");
        resolve();
      });
      socket.on("error", () => undefined).on("close", () => resolve());
    });
    const write = async (bytes: Buffer | string): Promise<void> => {
      if (socket.destroyed || socket.write(bytes)) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      socket.on("drain", resolve).on("close", resolve);
      await promise;
      socket.off("drain", resolve).off("close", resolve);
    };
    await write(headOf(sent));
    const bytes = sent.way === "breaks off" || sent.way === "stalls" ? sent.bytes / 2 : sent.bytes;
    const most = sent.way === "sends slowly" ? Math.max(1, bytes / 20) : PIECE.length;
    for (let left = bytes; left >= 1 && !socket.destroyed;) {
      const piece = PIECE.subarray(0, Math.ceil(Math.min(left, most, PIECE.length)));
      const framed = [`${piece.length.toString(16)}\r\n`, piece, "\r\n"];
      for (const part of sent.isChunked ? framed : [piece]) await write(part);
      left -= piece.length;
      if (sent.way === "sends slowly") await turn();
    }
    if (sent.way === "breaks off") socket.destroy();
    if (sent.way === "stalls" || sent.way === "breaks off") return outcome;
    if (sent.isChunked) await write("0\r\n\r\n");
    // Announced bytes that do not come are the server's to wait for, or not.
    if (sent.flaw !== "length") await over;
    return outcome;
  }

  /** Lets time pass, as what is on its way to the server begins its own. */
  async function eventually(isSo: () => boolean): Promise<void> {
    for (const until = performance.now() + 10_000; !isSo() && performance.now() < until; await turn())
      await jest.advanceTimersByTimeAsync(10_000);
    expect(isSo()).toBe(true);
  }

  test("ends with its request, and ends nothing else", async () => {
    jest.useFakeTimers({
      doNotFake: ["nextTick", "queueMicrotask", "setImmediate", "clearImmediate", "performance", "Date", "hrtime"],
    });
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(sentRequests, { minLength: 1, maxLength: 12 }), async (requests) => {
          const timers = jest.getTimerCount();
          const outcomes = await Promise.all(requests.map(ask));
          await jest.advanceTimersByTimeAsync(LONG);
          for (const { sent, answer } of outcomes) {
            const isWhole = sent.way.startsWith("sends") && sent.flaw !== "length";
            if (answer !== "") expect(answer).toMatch(isWhole ? /^HTTP\/1\.1 4\d\d / : /^HTTP\/1\.1 (4\d\d|504) /);
            // A client that is still sending may lose the answer of a connection that closes.
            else if (isWhole) expect(sent.connection).toBe("close");
          }
          const stalled = outcomes.filter(({ sent }) => sent.way === "stalls" && sent.bytes > 1);
          await eventually(() => stalled.every(({ socket }) => socket.destroyed || socket.readableEnded));
          for (const { socket } of outcomes) socket.destroy();
          await eventually(() => jest.getTimerCount() <= timers);
        }),
        { numRuns: transport === "local" ? 60 : 15, endOnFailure: true },
      );
    } finally {
      jest.useRealTimers();
    }
    expect(warnings).toEqual([]);
  }, 120_000);
});
