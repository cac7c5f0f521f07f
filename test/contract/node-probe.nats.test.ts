import { afterEach, describe, expect, test } from "@jest/globals";
import { startNode } from "../../bin/node.ts";
import { createOutboxWrite } from "../../packages/durable/src/channels/outbox.ts";
import { eventually } from "../support/eventually.ts";
import { testNamespace } from "../support/jetstream.ts";
import { NATS_SERVER, startOwnNats } from "../support/nats-server.ts";
import { freePorts } from "../support/ports.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { testSettings } from "../support/test-settings.ts";
import { parseExposition } from "./metrics/exposition-parser.ts";

const outbox = createOutboxWrite<{ "test.happened": object; "user.deleted": { userId: string } }>();

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A process with an entry point, and what is seen of it from outside. */
async function startProcess(natsUrl: string) {
  const ports = await freePorts(2);
  const [entry, probe] = [ports, ports + 1].map((port) => `http://127.0.0.1:${port}`);
  const node = await startNode(
    testSettings({
      NATS_URL: natsUrl,
      NATS_NAMESPACE: testNamespace(),
      SERVICES: "cart,http:cart",
      CART_PORT: String(ports),
      HEALTH_PORT: String(ports + 1),
    }),
  );
  ends.push(() => node.stop());
  const statusOf = async (path: string): Promise<number[]> =>
    Promise.all([entry, probe].map(async (address) => (await fetch(address + path)).status));
  const failing = async (): Promise<string[]> => {
    const answers = await Promise.all(
      [entry, probe].map(
        async (address) =>
          (await fetch(`${address}/health/ready`)).json() as Promise<{
            dependencies: Record<string, { status: string }>;
          }>,
      ),
    );
    return answers.flatMap(({ dependencies }) =>
      Object.entries(dependencies).flatMap(([name, { status }]) => (status === "ok" ? [] : [name])),
    );
  };
  /** Series without labels, and with one its value in brackets. */
  const metrics = async (): Promise<Record<string, number>> => {
    const families = parseExposition(await (await fetch(`${probe}/metrics`)).text());
    return Object.fromEntries(
      [...families.values()]
        .flatMap(({ samples }) => samples)
        .map(({ name, labels, value }) => [[name, ...Object.values(labels)].join(" "), value]),
    );
  };
  return { documents: node.runtime.stores!.documents, statusOf, failing, metrics };
}

const UP = {
  "partline_ready node": 1,
  "partline_ready cart": 1,
  "partline_dependency_up broker": 1,
  "partline_dependency_up documents": 1,
  "partline_channels_up jetstream": 1,
  partline_channel_outbox_events: 0,
  partline_channel_outbox_oldest_event_age_seconds: 0,
  partline_channel_pending_events: 0,
  partline_channel_dead_letters: 0,
};

/**
 * Resolves when each node of a cluster knows of an event that a group has acknowledged. The servers of a group with an
 * empty log elect a leader only if all of them vote (raft.go of nats-server, runAsCandidate): a group whose leader died
 * before it wrote anything waits for that node.
 */
async function replicated(monitors: string[]): Promise<void> {
  await eventually(async () => {
    const nodes = await Promise.all(monitors.map(async (url) => (await fetch(`${url}/jsz?consumers=1`)).text()));
    return nodes.every((jsz) => /"ack_floor":\s*\{[^}]*"consumer_seq":\s*[1-9]/.test(jsz));
  }, 30_000);
}

(NATS_SERVER ? describe : describe.skip)("a process whose NATS goes away", () => {
  test("is unready and alive, says why, and of waiting events reports its outbox's alone, until NATS is back", async () => {
    const nats = await startOwnNats();
    ends.push(() => nats.stop());
    const { documents, statusOf, failing, metrics } = await startProcess(nats.url);
    expect([await statusOf("/health/ready"), await failing()]).toEqual([[200, 200], []]);
    expect(await metrics()).toMatchObject(UP);

    await nats.kill();
    await eventually(async () => (await failing()).length > 0);
    await documents.atomically([outbox("test.happened", {})]);
    expect(await failing()).toEqual(["broker", "broker"]);
    expect([await statusOf("/health/ready"), await statusOf("/health/live")]).toEqual([
      [503, 503],
      [200, 200],
    ]);
    const away = await eventually(async () => {
      const read = await metrics();
      return read["partline_channel_outbox_oldest_event_age_seconds"]! >= 1 && read;
    });
    expect(away).toMatchObject({
      "partline_ready node": 0,
      "partline_ready cart": 0,
      "partline_dependency_up broker": 0,
      "partline_dependency_up documents": 1,
      "partline_channels_up jetstream": 0,
      partline_channel_outbox_events: 1,
    });
    const told = Object.keys(away).filter((name) => /^partline_channel_(?!outbox|handling|delivery)/.test(name));
    expect(told).toEqual([]);

    await nats.start();
    await eventually(async () => (await statusOf("/health/ready")).every((status) => status === 200));
    await eventually(async () => {
      expect(await metrics()).toMatchObject(UP);
      return true;
    });
    expect(await statusOf("/health/live")).toEqual([200, 200]);
  });

  test("is ready again after its password was not taken for a while", async () => {
    const users = (password: string): string => `authorization { users: [{ user: partline, password: ${password} }] }`;
    const nats = await startOwnNats({ configuration: users("right") });
    ends.push(() => nats.stop());
    const { statusOf, failing, metrics } = await startProcess(nats.url.replace("://", "://partline:right@"));
    expect(await statusOf("/health/ready")).toEqual([200, 200]);

    // Twice, with a while between them in which all is well: a client may count what is not in a row.
    for (let time = 0; time < 2; time++) {
      nats.configure(users("wrong"));
      await eventually(async () => (await failing()).length > 0);
      const refused = async (): Promise<number> =>
        ((await (await fetch(`${nats.monitors[0]}/varz`)).json()) as { total_connections: number }).total_connections;
      const before = await refused();
      // Each of its two clients has come back, and was refused, more than once.
      await eventually(async () => (await refused()) >= before + 6, 30_000);
      nats.configure(users("right"));
      await eventually(async () => (await statusOf("/health/ready")).every((status) => status === 200));
      await eventually(async () => (await metrics())["partline_channels_up jetstream"] === 1);
    }
  }, 120_000);

  test("is ready where one NATS node of three is left, which carries calls: its events wait", async () => {
    const nats = await startOwnNats({ nodes: 3 });
    ends.push(() => nats.stop());
    const { documents, statusOf, metrics } = await startProcess(nats.url);
    await documents.atomically([outbox("user.deleted", { userId: "user_1" })]);
    await replicated(nats.monitors);
    await Promise.all([nats.kill(0), nats.kill(1)]);
    await documents.atomically([outbox("test.happened", {})]);
    await eventually(async () => {
      expect(await metrics()).toMatchObject({
        "partline_ready node": 1,
        "partline_ready cart": 1,
        "partline_channels_up jetstream": 0,
        partline_channel_outbox_events: 1,
      });
      return true;
    }, 30_000);
    expect(await statusOf("/health/ready")).toEqual([200, 200]);
    await nats.start(0);
    await eventually(async () => {
      expect(await metrics()).toMatchObject(UP);
      return true;
    }, 150_000);
  }, 240_000);

  test("is unready within seconds also where NATS hangs and the connection stands", async () => {
    const nats = await startOwnNats();
    ends.push(() => nats.stop());
    const proxy = await startTcpProxy(nats.url);
    ends.push(() => proxy.close());
    const { statusOf, failing } = await startProcess(proxy.url);
    expect(await statusOf("/health/ready")).toEqual([200, 200]);
    proxy.freeze();
    const from = performance.now();
    expect(await failing()).toEqual(["broker", "broker"]);
    expect(performance.now() - from).toBeLessThan(5_000);
    await proxy.restore();
    await eventually(async () => (await statusOf("/health/ready")).every((status) => status === 200));
  });
});
