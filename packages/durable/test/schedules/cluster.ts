import type { DocumentStore } from "../../src/document-store/port.ts";
import { FaultyStore } from "./faulty-store.ts";
import { VirtualWorld, type Member } from "./virtual-world.ts";

/** Faults end then, milliseconds of the world. */
export const FAULTS_END_MS = 60_000;
/** Clocks of two processes differ by less than a third of a lease. */
const MAX_SKEW_MS = 2_000;
/** Longer than a lease. */
const MAX_STALL_MS = 40_000;

/** Part of a process that a scenario starts. */
interface Service {
  stop(): Promise<void>;
}

/** Processes over one store, whose faults, deaths and stalls the seed decides. */
export class Cluster {
  readonly world: VirtualWorld;
  readonly store: FaultyStore;
  readonly backend: DocumentStore["backend"];
  /** A connection that nothing befalls, for what the scenario itself does. */
  readonly documents: DocumentStore;
  readonly #start: (documents: DocumentStore, name: string) => Promise<Service>;
  readonly #running = new Map<Member, Service | undefined>();
  #started = 0;

  constructor(seed: number, start: (cluster: Cluster) => (documents: DocumentStore, name: string) => Promise<Service>) {
    this.world = new VirtualWorld(seed);
    this.store = new FaultyStore(this.world);
    this.backend = this.world.chance(0.5) ? "mongodb" : "embedded";
    this.documents = this.store.connect(undefined, this.backend);
    this.#start = start(this);
  }

  /** Begins the faults and the processes: several, or the only one that an embedded store may have. */
  begin(): void {
    const { world, store } = this;
    store.faults = { slow: 0.02, lost: world.random() * 0.05, unanswered: world.random() * 0.05 };
    const count = this.backend === "embedded" ? 1 : world.pick(2, 3);
    for (let n = 0; n < count; n += 1) this.#launch();
    for (let n = world.pick(0, 5); n > 0; n -= 1) world.setTimer(world.random() * FAULTS_END_MS, () => this.#disturb());
    world.setTimer(FAULTS_END_MS, () => (store.faults = { slow: 0, lost: 0, unanswered: 0 }));
  }

  async end(): Promise<void> {
    await Promise.all([...this.#running.values()].map(async (service) => service?.stop()));
    this.store.close();
  }

  /** A process stalls, loses its store for a while, stops as asked, or dies; another comes for one that ended. */
  #disturb(): void {
    const { world } = this;
    const members = [...this.#running.keys()];
    const member = members[world.pick(0, members.length - 1)];
    if (!member) return;
    const until = world.nowMs + world.random() * MAX_STALL_MS;
    if (world.chance(0.3)) {
      member.stalledUntil = until;
      return;
    }
    if (world.chance(0.3)) {
      member.cutUntil = until;
      return;
    }
    const service = this.#running.get(member);
    if (service && world.chance(0.5)) {
      this.#running.delete(member);
      void world.runAs(member, () => service.stop()).then(() => this.#launch());
      return;
    }
    member.isDead = true;
    this.#running.delete(member);
    // An embedded store is locked until its process is gone, and what it sent has arrived.
    world.setTimer(world.random() * 5_000 + (this.backend === "embedded" ? 15_000 : 0), () => this.#launch());
  }

  #launch(): void {
    const { world } = this;
    this.#started += 1;
    const name = `p${this.#started}`;
    const skewMs = this.backend === "embedded" ? 0 : world.pick(-MAX_SKEW_MS, MAX_SKEW_MS);
    const member: Member = { name, skewMs, stalledUntil: 0, cutUntil: 0, isDead: false };
    this.#running.set(member, undefined);
    const start = async (): Promise<void> => {
      for (;;) {
        try {
          const service = await this.#start(this.store.connect(member, this.backend), name);
          this.#running.set(member, service);
          return;
        } catch {
          // The supervisor starts it again.
          await world.sleep(1_000);
        }
      }
    };
    world.runAs(member, () => void start());
  }
}

/** Waits until a condition holds. @throws with what is missing if it does not within ten minutes of the world */
export async function waitUntil(world: VirtualWorld, findMissing: () => Promise<string | undefined>): Promise<void> {
  const deadline = world.nowMs + 600_000;
  for (;;) {
    const missing = await findMissing();
    if (missing === undefined) return;
    if (world.nowMs > deadline) throw new Error(`Never came true: ${missing}`);
    await world.sleep(500);
  }
}
