import type { CollectionDefinition, Document } from "../../src/document-store/port.ts";
import { createTasks } from "../../src/tasks/tasks.ts";
import type { TaskRun } from "../../src/tasks/port.ts";
import { enqueueWrite, TASKS } from "../../src/tasks/task.ts";
import { Cluster, FAULTS_END_MS, waitUntil } from "./cluster.ts";

interface Payloads {
  print: { n: number };
  bind: { n: number };
}
interface Printed extends Document {
  n: number;
  runs: number;
  commits: number;
}

const PRINTED: CollectionDefinition = { name: "test_printed" };
const enqueue = enqueueWrite<Payloads>();

/**
 * Tasks under faults: each enqueued one ends with an effect of its newest payload, and no two runs of a key have their
 * effects in between each other.
 */
export async function runTasksSchedule(seed: number): Promise<void> {
  const cluster = new Cluster(seed, ({ world, store }) => async (documents) => {
    const printed = documents.collection<Printed>(PRINTED);
    const tasks = createTasks({ documents, report: { stuck: () => undefined, ended: () => undefined } });
    const handle = (key: keyof Payloads) => async (payload: Record<string, unknown>, run: TaskRun) => {
      const _id = `${key}:${String(payload["key"])}`;
      const earlier = await printed.findOne({ _id });
      await world.sleep(world.chance(0.2) ? world.random() * 40_000 : world.random() * 50);
      // Some handlers do not look: the lease in the batch must be enough.
      if (world.chance(0.5)) run.signal.throwIfAborted();
      if (store.faults.lost > 0 && world.chance(0.2)) throw new Error("as the seed has it");
      // Another run's effect between the read and this write would be in `commits` alone.
      const effect = { $set: { n: payload["n"], runs: (earlier?.runs ?? 0) + 1 }, $inc: { commits: 1 } };
      await documents.atomically([
        run.held(),
        { collection: PRINTED, updateOne: { filter: { _id }, update: effect, upsert: true } },
      ]);
    };
    tasks.handle("print", { concurrency: world.pick(1, 3), run: handle("print") });
    tasks.handle("bind", { concurrency: () => 1, run: handle("bind") });
    await tasks.start();
    return tasks;
  });
  const { world, documents } = cluster;
  const newest = new Map<string, number>();
  await world.run(async () => {
    cluster.begin();
    const keys = world.pick(2, 6);
    for (let n = 1; world.nowMs < FAULTS_END_MS; n += 1) {
      const kind = world.chance(0.5) ? "print" : "bind";
      const key = `k${world.pick(1, keys)}`;
      const payload = { n, key };
      await documents.atomically([
        enqueue(kind, key, payload, {
          dueAt: new Date(Date.now() + world.pick(0, 3) * 1_000),
          ...(kind === "bind" ? { lane: `lane${world.pick(1, 2)}` } : {}),
        }),
      ]);
      newest.set(`${kind}:${key}`, n);
      await world.sleep(world.random() * 8_000);
    }
    const printed = documents.collection<Printed>(PRINTED);
    const tasks = documents.collection(TASKS);
    await waitUntil(world, async () => {
      const [left] = await tasks.find({});
      return left && `task ${JSON.stringify(left)}`;
    });
    for (const [_id, n] of newest) {
      const effect = await printed.findOne({ _id });
      if (effect?.n !== n) throw new Error(`${_id} ended with ${effect?.n}, not with ${n}`);
      if (effect.runs !== effect.commits)
        throw new Error(`${_id} counts ${effect.runs} runs and ${effect.commits} effects`);
    }
    await cluster.end();
  });
}
