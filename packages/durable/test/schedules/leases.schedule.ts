import { createLeases } from "../../src/lease.ts";
import type { Document } from "../../src/document-store/port.ts";
import { Cluster, FAULTS_END_MS } from "./cluster.ts";

const NAME = "the only one";
const LEASE_MS = 15_000;

/** Leases under faults: a holder whose lease is confirmed is, at that moment, the only one; and a lease goes on. */
export async function runLeasesSchedule(seed: number): Promise<void> {
  let confirmations = 0;
  const faults: Error[] = [];
  const cluster = new Cluster(seed, ({ world, documents }) => async (own, holder) => {
    const leases = createLeases(own);
    const stored = documents.collection<Document & { holder: string; heldUntil: Date }>({
      name: "leases",
      fields: { holder: "string", heldUntil: "date" },
    });
    let isStopped = false;
    const work = async (): Promise<void> => {
      while (!isStopped) {
        await world.sleep(world.random() * 2_000);
        if (!(await leases.acquire(NAME, holder, LEASE_MS).catch(() => false))) continue;
        const terms = { name: NAME, holder, forMs: LEASE_MS, onError: () => undefined };
        await leases
          .during(terms, async (lease) => {
            for (let step = world.pick(1, 10); step > 0 && !isStopped; step -= 1) {
              await world.sleep(world.chance(0.2) ? world.random() * 20_000 : world.random() * 100);
              await lease.confirm();
              confirmations += 1;
              const current = await stored.findOne({ _id: NAME });
              if (current?.holder !== holder)
                faults.push(new Error(`${holder} was confirmed while ${current?.holder} held the lease`));
            }
          })
          .catch(() => undefined);
      }
    };
    const working = work();
    return {
      stop: async () => {
        isStopped = true;
        await working;
      },
    };
  });
  const { world } = cluster;
  await world.run(async () => {
    cluster.begin();
    await world.sleep(FAULTS_END_MS + 60_000);
    const confirmedInFaults = confirmations;
    await world.sleep(120_000);
    if (faults[0]) throw faults[0];
    if (confirmations === confirmedInFaults) throw new Error("Nobody was confirmed in two minutes without faults");
    await cluster.end();
  });
}
