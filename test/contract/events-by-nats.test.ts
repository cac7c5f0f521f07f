import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { outbox } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import { removeStreams, testNamespace } from "../support/jetstream.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

const { NATS_URL } = process.env;
const [, GUIDE] = /```ts\n([^]*?)```/.exec(readFileSync("docs/guides/events.md", "utf8"))!;

interface OrderUpdated {
  v: number;
  event_id: string;
  payload: { orderId: string; version: number };
}

/** Runs the code of docs/guides/events.md until it has so many events. */
async function readByGuide(namespace: string, count: number): Promise<OrderUpdated[]> {
  const code = [
    ["nats://127.0.0.1:4222", NATS_URL!],
    ["partline-events", `${namespace}-events`],
    ["partline.event.", `${namespace}.event.`],
    ["message.ack();", "message.ack(); await nc.flush(); console.log(JSON.stringify(event));"],
  ].reduce((text, [from, to]) => text.replaceAll(from!, to!), GUIDE!);
  let printed = "";
  let errors = "";
  const child = execFile(process.execPath, ["--input-type=module", "--eval", code]);
  const ended = once(child, "exit");
  try {
    child.stdout!.on("data", (text: string) => (printed += text));
    child.stderr!.on("data", (text: string) => (errors += text));
    const lines = await eventually(() => {
      const whole = printed.split("\n").slice(0, -1);
      return (whole.length >= count || errors !== "" || child.exitCode !== null) && whole;
      // What the server gave to a reader that died comes again after 30 s.
    }, 60_000);
    expect(errors).toBe("");
    return lines.map((line) => JSON.parse(line) as OrderUpdated);
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

(NATS_URL === undefined ? describe.skip : describe)("the bus, read as the guide says, with the client of NATS", () => {
  it("has each event once for a durable consumer, also what came while it was away", async () => {
    const namespace = testNamespace();
    const settings = testSettings({ NATS_URL: NATS_URL!, NATS_NAMESPACE: namespace });
    const running = await startTestBroker({ services: [], settings });
    const states = { status: "processing", paymentStatus: "paid" } as const;
    const update = async (version: number): Promise<void> => {
      const payload = { orderId: "ord_1", version, actor: "admin", from: states, to: states, changed: ["status"] };
      await running.documents.atomically([outbox("order.updated", payload)]);
      running.channels.wake();
    };
    try {
      await update(2);
      expect(await readByGuide(namespace, 1)).toMatchObject([{ v: 1, payload: { orderId: "ord_1", version: 2 } }]);
      await update(3);
      await update(4);
      await eventually(async () => (await running.channels.outboxDepth()).outbox === 0);
      // An operator waits until no group of the system has anything to do.
      expect(await running.channels.depth()).toMatchObject({ pending: 0, oldestAgeMs: 0 });
      const later = await readByGuide(namespace, 2);
      expect(later.map(({ payload }) => payload.version).sort()).toEqual([3, 4]);
      expect(new Set(later.map(({ event_id }) => event_id)).size).toBe(2);
    } finally {
      await running.stop();
      await removeStreams(NATS_URL!, namespace);
    }
  });
});
