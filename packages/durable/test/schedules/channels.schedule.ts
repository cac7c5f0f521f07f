import { createOutboxWrite } from "../../src/channels/outbox.ts";
import { DELIVERIES, type DeliveryRow } from "../../src/channels/deliveries.ts";
import { GROUPS, type GroupRow } from "../../src/channels/stored/relay.ts";
import { createStoredChannels } from "../../src/channels/stored/stored-channels.ts";
import { type ChannelEvent, GivenUp } from "../../src/channels/port.ts";
import { type CollectionDefinition, isWritten } from "../../src/document-store/port.ts";
import { Cluster, FAULTS_END_MS, waitUntil } from "./cluster.ts";

const CHANNEL = "test.happened";
const EFFECTS: CollectionDefinition = { name: "test_effects" };
const outbox = createOutboxWrite<Record<string, { n: number; isPoison: boolean }>>();

/**
 * Channels under faults: each committed event has its effect in each group, also in one that comes late, and what its
 * handler gives up is a dead letter; nothing else is. Every delivery ends.
 */
export async function runChannelsSchedule(seed: number): Promise<void> {
  const groups = ["one", "two"];
  const cluster = new Cluster(seed, ({ world, store }) => async (documents) => {
    const effects = documents.collection(EFFECTS);
    const ignore = (): void => undefined;
    const report = { stuck: ignore, onOtherStream: ignore, unsigned: ignore, onUnreadable: ignore, onFailed: ignore };
    const channels = createStoredChannels({ documents, report });
    for (const group of groups) {
      const handler = async ({ event_id, payload }: ChannelEvent): Promise<void> => {
        await world.sleep(world.chance(0.1) ? world.random() * 30_000 : world.random() * 50);
        if (payload["isPoison"] === true) throw new GivenUp("poison");
        if (store.faults.lost > 0 && world.chance(0.2)) throw new Error("as the seed has it");
        await isWritten(effects.insertOne({ _id: `${group}:${event_id}` }), "DUPLICATE_KEY");
      };
      channels.subscribe(CHANNEL, { group, concurrency: world.pick(1, 4), handler });
    }
    await channels.start();
    return channels;
  });
  const { world, documents } = cluster;
  const committed = new Map<string, boolean>();
  await world.run(async () => {
    cluster.begin();
    world.setTimer(world.random() * FAULTS_END_MS, () => groups.push("late"));
    for (let n = 1; world.nowMs < FAULTS_END_MS; n += 1) {
      const isPoison = world.chance(0.1);
      const id = `e${n}`;
      await documents.atomically([outbox(CHANNEL, { n, isPoison }, id)]);
      committed.set(id, isPoison);
      await world.sleep(world.random() * 4_000);
    }
    const deliveries = documents.collection<DeliveryRow>(DELIVERIES);
    const effects = documents.collection(EFFECTS);
    const findDeliveries = async () => {
      const registeredGroups = await documents.collection<GroupRow>(GROUPS).find({});
      return [...committed].flatMap(([id, isPoison]) =>
        registeredGroups.map(({ group }) => ({ _id: `${group}:${id}`, isPoison })),
      );
    };
    await waitUntil(world, async () => {
      const [left] = await deliveries.find({ state: "pending" });
      if (left) return `delivery ${JSON.stringify(left)}`;
      const [stored, wanted] = [await deliveries.count({}), (await findDeliveries()).length];
      return stored === wanted ? undefined : `${stored} of ${wanted} deliveries`;
    });
    for (const { _id, isPoison } of await findDeliveries()) {
      const state = (await deliveries.findOne({ _id }))?.state;
      if (state !== (isPoison ? "dead" : "done")) throw new Error(`Delivery ${_id} is ${state}`);
      if (!isPoison && !(await effects.findOne({ _id }))) throw new Error(`${_id} has no effect`);
    }
    await cluster.end();
  });
}
