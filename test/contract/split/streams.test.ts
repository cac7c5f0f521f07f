import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { Context, ServiceBroker, ServiceSchema } from "moleculer";
import { eventually } from "../../support/eventually.ts";
import { startCluster, TRANSPORTS, type Cluster } from "./cluster.ts";

const CHUNK = 64 * 1024;
const TOTAL = 512 * CHUNK;

let mayTake = Promise.withResolvers<void>();

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
    refuse: () => Promise.reject(new Error("Not this one")),
    tell: () => Readable.from((async function* () {
      for (;;) {
        yield "more ";
        await delay(20);
      }
    })(), { objectMode: false }),
  },
});

/** As fast as it is read. */
function source() {
  const read = { bytes: 0, isWhole: false };
  const stream = new Readable({
    read() {
      read.isWhole = read.bytes === TOTAL;
      if (!read.isWhole) read.bytes += CHUNK;
      this.push(read.isWhole ? null : Buffer.alloc(CHUNK));
    },
  });
  return { stream, read };
}

/** Packets of a command are lost on their way to a broker until this is called. */
function lose({ transit }: ServiceBroker, command: string): { lost(): number; end(): void } {
  const { tx } = transit as unknown as { tx: { messageHandler: (command: string, packet: unknown) => Promise<unknown> } };
  const { messageHandler } = tx;
  let lost = 0;
  tx.messageHandler = (given, packet) => (given === command ? Promise.resolve((lost += 1)) : messageHandler(given, packet));
  return { lost: () => lost, end: () => void (tx.messageHandler = messageHandler) };
}

let cluster: Cluster | undefined;
beforeEach(() => {
  mayTake = Promise.withResolvers();
});
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

describe.each(TRANSPORTS)("a stream to another node, over %s", (transport) => {
  const load = (caller: ServiceBroker, action: string, stream: Readable): Promise<unknown> => caller.call(action, {}, { stream, timeout: 60_000 } as object);

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
    const { pendingReqStreams } = workers[0]!.broker.transit as unknown as { pendingReqStreams: Map<string, unknown> };
    await eventually(() => pendingReqStreams.size === 0);
  }, 60_000);

  test("that is an answer and is read no further leaves no open call", async () => {
    const { caller } = (cluster = await startCluster(transport, [work]));
    const story = await caller.call<Readable, object>("work.tell", {});
    expect(caller.transit!.pendingRequests.size).toBe(1);
    story.destroy();
    await eventually(() => caller.transit!.pendingRequests.size === 0);
  });
});
