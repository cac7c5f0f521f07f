import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { BrokerOptions, Context, Middleware, ServiceBroker, ServiceSchema } from "moleculer";
import { createStreamsMiddleware, findTransit } from "@partline/moleculer-kit";
import { eventually } from "../../support/eventually.ts";
import { lose, startCluster, TRANSPORTS, type Cluster } from "./cluster.ts";

const CHUNK = 64 * 1024;
const TOTAL = 128 * CHUNK;

let mayTake = Promise.withResolvers<void>();
/** How each stream ended for who took it. */
let endings: string[] = [];

/** The product's in a fiftieth of the time. */
const HURRIED = { turnMs: 20, turnsWithoutPiece: 30, turnsBehindAGap: 10, turnsWithoutWord: 30, turnsBetweenLooks: 10 };
const hurried = (options: BrokerOptions): BrokerOptions => ({
  ...options,
  middlewares: options.middlewares!.map((each) =>
    (each as Middleware).name === "Streams" ? createStreamsMiddleware(HURRIED) : each,
  ),
});

const work = (): ServiceSchema => ({
  name: "work",
  actions: {
    load: async (ctx: Context) => {
      let bytes = 0;
      for await (const chunk of ctx.stream as unknown as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        await mayTake.promise;
      }
      return bytes;
    },
    /** As uploads are taken: so many at a time, and others wait. */
    keep: {
      bulkhead: { enabled: true, concurrency: 1, maxQueueSize: 10 },
      handler: async (ctx: Context) => {
        let bytes = 0;
        try {
          for await (const chunk of ctx.stream as unknown as AsyncIterable<Buffer>) bytes += chunk.length;
          await mayTake.promise;
          endings.push("whole");
        } catch (error) {
          endings.push((error as { code?: string }).code ?? "?");
          throw error;
        }
        return bytes;
      },
    },
    refuse: () => Promise.reject(new Error("Not this one")),
    tell: () =>
      Readable.from(
        (async function* () {
          for (;;) {
            yield "more ";
            await delay(20);
          }
        })(),
        { objectMode: false },
      ),
  },
});

/** As fast as it is read. */
function source(total = TOTAL) {
  const read = { bytes: 0, isWhole: false };
  const stream = new Readable({
    read() {
      read.isWhole = read.bytes === total;
      if (!read.isWhole) read.bytes += CHUNK;
      this.push(read.isWhole ? null : Buffer.alloc(CHUNK));
    },
  });
  return { stream, read };
}

/** Streams of which a broker keeps something. */
const keptBy = (broker: ServiceBroker): number => findTransit(broker)!.pendingReqStreams.size;

let cluster: Cluster | undefined;
beforeEach(() => {
  endings = [];
  mayTake = Promise.withResolvers();
});
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

describe.each(TRANSPORTS)("a stream to another node, over %s", (transport) => {
  const load = (caller: ServiceBroker, action: string, stream: Readable, timeout = 60_000): Promise<unknown> =>
    caller.call(action, {}, { stream, timeout } as object);

  test("is read no faster than it is taken there", async () => {
    const { caller } = (cluster = await startCluster(transport, [work]));
    const { stream, read } = source();
    const loaded = load(caller, "work.load", stream);
    let before = -1;
    await eventually(async () => {
      const isHeld = read.bytes > 0 && read.bytes === before;
      before = read.bytes;
      await delay(300);
      return isHeld;
    });
    expect(read.bytes).toBeLessThan(4 * 1024 * 1024);
    mayTake.resolve();
    expect(await loaded).toBe(TOTAL);
  }, 60_000);

  test("goes on though word of what was taken is lost", async () => {
    const { caller } = (cluster = await startCluster(transport, [work]));
    const losing = lose(caller, "EVENT");
    mayTake.resolve();
    const { stream } = source();
    const loaded = load(caller, "work.load", stream);
    await eventually(() => losing.lost() > 5);
    losing.end();
    expect(await loaded).toBe(TOTAL);
  }, 60_000);

  test("that is refused is read to its end, and neither node keeps anything of it", async () => {
    const { caller, workers } = (cluster = await startCluster(transport, [work]));
    const { stream, read } = source();
    await expect(load(caller, "work.refuse", stream)).rejects.toThrow("Not this one");
    await eventually(() => read.isWhole);
    await eventually(() => keptBy(workers[0]!.broker) === 0);
  }, 60_000);

  test.each([
    ["in its middle", (seq: number) => seq === 3],
    ["of it and all that follows", (seq: number) => seq >= 3],
  ])(
    "of which a piece is lost, %s, fails, and holds nobody up",
    async (_, isLost) => {
      const { caller, workers } = (cluster = await startCluster(transport, [work], hurried));
      const losing = lose(workers[0]!.broker, "REQ", ({ seq }) => seq !== undefined && isLost(seq));
      mayTake.resolve();
      await expect(load(caller, "work.keep", source().stream)).rejects.toMatchObject({ code: "TIMEOUT" });
      expect(endings).toEqual(["TIMEOUT"]);
      losing.end();
      expect(await load(caller, "work.keep", source().stream)).toBe(TOTAL);
      await eventually(() => keptBy(workers[0]!.broker) === 0);
    },
    60_000,
  );

  test.each([
    ["", TOTAL],
    [", with all of it on its way", 4 * CHUNK],
  ])(
    "whose beginning is lost fails for its sender%s, and nothing is kept of it",
    async (_, bytes) => {
      const { caller, workers } = (cluster = await startCluster(transport, [work], hurried));
      const losing = lose(workers[0]!.broker, "REQ", ({ seq }) => seq === 0);
      const { stream } = source(bytes);
      await expect(load(caller, "work.keep", stream)).rejects.toMatchObject({ type: "REQUEST_TIMEOUT" });
      await eventually(() => stream.readableEnded);
      losing.end();
      await eventually(() => keptBy(workers[0]!.broker) === 0);
    },
    60_000,
  );

  test("waits its turn in a bulkhead for longer than a sender waits for word", async () => {
    const { caller } = (cluster = await startCluster(transport, [work], hurried));
    const calls = Promise.all([load(caller, "work.keep", source().stream), load(caller, "work.keep", source().stream)]);
    await Promise.race([calls, delay(3 * HURRIED.turnsWithoutWord * HURRIED.turnMs)]);
    mayTake.resolve();
    expect(await calls).toEqual([TOTAL, TOTAL]);
  }, 60_000);

  test("whose sender gave up is not taken for whole, nor read on", async () => {
    const { caller } = (cluster = await startCluster(transport, [work]));
    mayTake.resolve();
    const stream = new Readable({ read: () => undefined });
    const kept = load(caller, "work.keep", stream, 500);
    stream.push(Buffer.alloc(CHUNK));
    await expect(kept).rejects.toMatchObject({ type: "REQUEST_TIMEOUT" });
    stream.push(null);
    await eventually(() => endings.length > 0);
    expect(endings).toEqual(["TIMEOUT"]);
  });

  test("that breaks off before it is read is not taken for whole", async () => {
    const { caller } = (cluster = await startCluster(transport, [work]));
    const first = load(caller, "work.keep", source(CHUNK).stream);
    const stream = new Readable({ read: () => undefined });
    const second = load(caller, "work.keep", stream);
    stream.push(Buffer.alloc(CHUNK));
    await eventually(() => keptBy(cluster!.workers[0]!.broker) === 1);
    stream.destroy(new Error("The client hung up"));
    await eventually(() => keptBy(cluster!.workers[0]!.broker) === 0);
    mayTake.resolve();
    expect(await first).toBe(CHUNK);
    await expect(second).rejects.toThrow("The client hung up");
  });

  test("that breaks off for an action that has gone ends no process", async () => {
    const { caller, workers } = (cluster = await startCluster(transport, [work]));
    const { broker } = workers[0]!;
    const losing = lose(caller, "INFO");
    await broker.destroyService(broker.getLocalService("work"));
    const stream = new Readable({ read: () => undefined });
    await expect(load(caller, "work.keep", stream)).rejects.toMatchObject({ type: "SERVICE_NOT_FOUND" });
    losing.end();
    stream.destroy(new Error("The client hung up"));
    await eventually(() => keptBy(broker) === 0);
  });

  test("that is an answer and is read no further leaves no open call", async () => {
    const { caller } = (cluster = await startCluster(transport, [work]));
    const story = await caller.call<Readable, object>("work.tell", {});
    expect(findTransit(caller)!.pendingRequests.size).toBe(1);
    story.destroy();
    await eventually(() => findTransit(caller)!.pendingRequests.size === 0);
  });
});
