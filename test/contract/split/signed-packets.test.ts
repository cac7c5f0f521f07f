import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ServiceBroker, type Context } from "moleculer";
import { createClusterSecret, UNSIGNED } from "../../../packages/durable/src/cluster-secret.ts";
import { createReplayGuard, createSignedPacketsMiddleware, toMiddleware, getRegistry } from "@partline/moleculer-kit";
import { parseNatsServers } from "../../../packages/durable/src/nats-servers.ts";
import { eventually } from "../../support/eventually.ts";
import { TRANSPORTS } from "./cluster.ts";

const OLD = "old-secret-of-a-test-0123456789abcdef";
const NEW = "new-secret-of-a-test-0123456789abcdef";

type Sent = [topic: string, data: Buffer, meta: { packet: { type: string; target: string | null } }];

/** What was sent, and a way to send it again as it was. */
interface Wire {
  sent: Sent[];
  resend?(...sent: Sent): unknown;
}

const running: ServiceBroker[] = [];
afterEach(() => Promise.all(running.splice(0).map((broker) => broker.stop())));

/** `tap` sees packets as they leave, as somebody in NATS does. */
const tapped = (wire: Wire) =>
  toMiddleware({
    transporterSend: (next: (...sent: Sent) => unknown) => {
      wire.resend = next;
      return (...sent: Sent) => {
        wire.sent.push(sent);
        return next(...sent);
      };
    },
  });

describe.each(TRANSPORTS)("packets between nodes (%s)", (transport) => {
  const namespace = (): string => `signed-${process.pid}-${randomBytes(6).toString("hex")}`;
  const callers: unknown[] = [];

  async function startNode(name: string, nodeID: string, secrets?: readonly string[], wire: Wire = { sent: [] }) {
    const signed = secrets ? [createSignedPacketsMiddleware(createClusterSecret(secrets, name, "packets"))] : [];
    const broker = new ServiceBroker({
      namespace: name,
      nodeID,
      logger: false,
      transporter: transport === "NATS" ? { type: "NATS", options: parseNatsServers(process.env.NATS_URL!) } : "Fake",
      middlewares: [tapped(wire), ...signed],
    });
    broker.createService({
      name: nodeID,
      actions: {
        who: (ctx: Context<object, { caller?: unknown }>) => {
          callers.push(ctx.meta.caller);
          return nodeID;
        },
      },
    });
    await broker.start();
    running.push(broker);
    return broker;
  }
  const knows = (broker: ServiceBroker, nodeID: string): boolean =>
    getRegistry(broker).nodes.get(nodeID)?.available === true;
  const meet = (...brokers: ServiceBroker[]) =>
    eventually(() => brokers.every((one) => brokers.every((other) => knows(one, other.nodeID))));

  test("are taken from nodes with the secret, and answered", async () => {
    const name = namespace();
    const [a, b] = [await startNode(name, "a", [NEW]), await startNode(name, "b", [NEW])];
    await meet(a, b);
    expect(await a.call("b.who", {}, { meta: { caller: { admin: true } } })).toBe("b");
    expect(callers.pop()).toEqual({ admin: true });
  });

  test("of a stranger are dropped: it calls nothing, offers nothing, and answers nothing", async () => {
    const name = namespace();
    const [a, b] = [await startNode(name, "a", [NEW]), await startNode(name, "b", [NEW])];
    const strangers = [await startNode(name, "stranger"), await startNode(name, "guesser", ["x".repeat(40)])];
    // It offers what another node offers too, as a thief of calls would.
    for (const stranger of strangers) stranger.createService({ name: "b", actions: { who: () => "stolen" } });
    await meet(a, b);
    const answers = await Promise.all(Array.from({ length: 20 }, () => a.call("b.who")));
    expect(new Set(answers)).toEqual(new Set(["b"]));
    for (const stranger of strangers) expect(knows(a, stranger.nodeID)).toBe(false);
    callers.length = 0;
    const forged = { meta: { caller: { admin: true } }, nodeID: "a", timeout: 500, retries: 0 };
    for (const stranger of strangers)
      await expect(stranger.call("a.who", {}, forged)).rejects.toMatchObject({ name: expect.any(String) });
    expect(callers).toEqual([]);
  });

  test("that are sent again, or to another node, or changed, are dropped", async () => {
    const name = namespace();
    const wire: Wire = { sent: [] };
    const a = await startNode(name, "a", [NEW], wire);
    const [b, c] = [await startNode(name, "b", [NEW]), await startNode(name, "c", [NEW])];
    await meet(a, b, c);
    callers.length = 0;
    await a.call("b.who", {}, { meta: { caller: { admin: true } } });
    const [topic, data, meta] = wire.sent.findLast(([, , { packet }]) => packet.type === "REQ")!;
    const changed = Buffer.from(data);
    changed[changed.length - 2]! ^= 1;
    await wire.resend!(topic, data, meta);
    await wire.resend!(topic.replace(/b$/, "c"), data, { packet: { ...meta.packet, target: "c" } });
    await wire.resend!(topic, changed, meta);
    // Later packets of the same way have come: so have these.
    for (const other of ["b.who", "c.who"]) await a.call(other);
    expect(callers).toEqual([{ admin: true }, undefined, undefined]);
  });

  test("go on while a secret is changed, or nodes get their first one, one node after another", async () => {
    const name = namespace();
    for (const [first, second] of [
      [[OLD], [OLD, NEW]],
      [
        [OLD, NEW],
        [NEW, OLD],
      ],
      [[NEW, OLD], [NEW]],
      [undefined, [UNSIGNED, NEW]],
      [
        [UNSIGNED, NEW],
        [NEW, UNSIGNED],
      ],
      [[NEW, UNSIGNED], [NEW]],
    ] as const) {
      const [a, b] = [await startNode(name, "a", first), await startNode(name, "b", second)];
      await meet(a, b);
      expect([await a.call("b.who"), await b.call("a.who")]).toEqual(["b", "a"]);
      await Promise.all(running.splice(0).map((broker) => broker.stop()));
    }
  });
});

test("a packet's number is taken once, also beside later ones; what is far behind is not taken", () => {
  let now = 0;
  const isRepeated = createReplayGuard(() => now);
  expect([3, 1, 2, 3, 1].map((number) => isRepeated(7, number))).toEqual([false, false, false, true, true]);
  expect(isRepeated(8, 3)).toBe(false);
  expect(isRepeated(7, 3 + 4_096)).toBe(false);
  expect(isRepeated(7, 3)).toBe(true);
  now = 10 * 60_000;
  isRepeated(9, 1);
  // Its packets are too old by now.
  expect(isRepeated(8, 3)).toBe(false);
});
