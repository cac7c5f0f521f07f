import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { connect } from "nats";
import { createNames } from "../../packages/durable/src/channels/jetstream/names.ts";
import { eventually } from "../support/eventually.ts";
import { managerOf } from "../support/jetstream.ts";
import { NATS_SERVER, startOwnNats, type OwnNats } from "../support/nats-server.ts";
import { eventsSystem, expectEffectsOf, writeUntil, type EventsSystem } from "./events.support.ts";

(NATS_SERVER ? describe : describe.skip)("Durable events over a cluster of three", () => {
  let nats: OwnNats;
  let system: EventsSystem;
  beforeAll(async () => {
    nats = await startOwnNats({ nodes: 3 });
    system = eventsSystem(nats.url);
  });
  afterAll(async () => {
    await system?.stop();
    await nats?.stop();
  });

  it("survive the death of the node that leads their stream", async () => {
    const [writer, consumer] = await Promise.all([system.start(), system.start({ group: "one" })]);
    const nc = await connect({ servers: nats.url.split(",") });
    const { cluster, config } = await (await nc.jetstreamManager()).streams.info(createNames(system.namespace).events);
    await nc.close();
    expect(config.num_replicas).toBe(3);
    const leader = Number(/^own-(\d)$/.exec(cluster!.leader!)![1]);

    const before = await writeUntil(writer, 100);
    await eventually(() => consumer.handedOut().size > 50);
    await nats.kill(leader);
    const during = await writeUntil(writer, 200, 100);
    await expectEffectsOf(consumer, [...before, ...during], "leader of three killed");
    await nats.start(leader);
    const after = await writeUntil(writer, 50, 300);
    expect([...before, ...during, ...after]).toHaveLength(350);
    await expectEffectsOf(consumer, [...before, ...during, ...after], "leader back");
  });

  it("begin while a node is missing, and get the copies that their stream lacks", async () => {
    const young = eventsSystem(nats.url);
    await nats.kill(2);
    const nc = await connect({ servers: nats.url.split(",") });
    const { streams } = await managerOf(nc);
    const { events } = createNames(young.namespace);
    try {
      const first = await young.start({ group: "one" });
      const acknowledged = await writeUntil(first, 10);
      await expectEffectsOf(first, acknowledged, "begun with one of three missing");
      await nats.start(2);
      await first.kill();
      // As it is where the server was alone before.
      await streams.update(events, { num_replicas: 1 });
      const next = await first.again();
      expect((await streams.info(events)).config.num_replicas).toBe(3);
      await expectEffectsOf(
        next,
        [...acknowledged, ...(await writeUntil(next, 10, 10))],
        "three copies instead of one",
      );
    } finally {
      await nc.close();
      await young.stop();
    }
  });
});
