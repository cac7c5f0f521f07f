import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createLeases } from "../src/lease.ts";
import { startPeriodic } from "../src/periodic.ts";
import { openDocumentStore } from "../src/document-store/open.ts";
import {
  DocumentStoreError,
  type Collection,
  type CollectionDefinition,
  type Document,
  type DocumentStore,
} from "../src/document-store/port.ts";
import { eventually } from "../../../test/support/eventually.ts";

let documents: DocumentStore;
const stops: (() => Promise<void>)[] = [];

beforeEach(async () => {
  documents = await openDocumentStore({ dataDir: mkdtempSync(join(tmpdir(), "partline-periodic-")) });
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  await documents.close();
});

const start = (holder: string, run: () => Promise<void>, options: { leaseMs?: number; errors?: string[] } = {}) => {
  const task = startPeriodic(
    { name: "sweep", everyMs: 5, leaseMs: options.leaseMs, run },
    { documents, holder, onError: (name) => options.errors?.push(name) },
  );
  stops.push(() => task.stop());
};

test("of several processes one runs the task at a time, and the others get their turn", async () => {
  let inside = 0;
  let most = 0;
  const runs = new Map<string, number>();
  for (const holder of ["a", "b", "c"]) {
    start(holder, async () => {
      most = Math.max(most, ++inside);
      await pause(3);
      inside--;
      runs.set(holder, (runs.get(holder) ?? 0) + 1);
    });
  }
  await eventually(() => runs.size === 3 && [...runs.values()].every((count) => count >= 2));
  expect(most).toBe(1);
});

test("takes no lease while it is not needed, and runs once it is", async () => {
  let asked = 0;
  let needed = false;
  let runs = 0;
  const task = startPeriodic(
    { name: "sweep", everyMs: 5, isNeeded: async () => (asked++, needed), run: async () => void runs++ },
    { documents, holder: "a", onError: () => undefined },
  );
  stops.push(() => task.stop());
  expect(await createLeases(documents).acquire("sweep", "b", 60_000)).toBe(true);
  await eventually(() => asked > 3);
  await createLeases(documents).release("sweep", "b");
  expect(runs).toBe(0);
  needed = true;
  await eventually(() => runs > 0);
});

test("the first run waits for what it comes after, and never comes once it is stopped", async () => {
  const runs: string[] = [];
  const { promise: after, resolve: begin } = Promise.withResolvers<void>();
  const tasks = ["runs", "is stopped"].map((name) =>
    startPeriodic(
      { name, everyMs: 5, run: async () => void runs.push(name) },
      { documents, holder: "a", onError: () => undefined, after },
    ),
  );
  stops.push(...tasks.map((task) => task.stop));
  tasks[0]!.wake();
  await tasks[1]!.stop();
  // A write of the store is later than a run would have begun.
  await createLeases(documents).acquire("other", "b", 60_000);
  expect(runs).toEqual([]);
  begin();
  await eventually(() => runs.length > 2);
  expect(runs).not.toContain("is stopped");
});

test("a run that throws is reported and tried again", async () => {
  const errors: string[] = [];
  let runs = 0;
  start(
    "a",
    async () => {
      runs++;
      if (runs < 3) throw new Error("no");
    },
    { errors },
  );
  await eventually(() => runs >= 3);
  expect(errors).toEqual(["sweep", "sweep"]);
});

test("a process whose run failed leaves the next turn to others", async () => {
  const errors: string[] = [];
  start("ill", () => Promise.reject(new Error("no")), { leaseMs: 60_000, errors });
  await eventually(() => errors.length > 0);
  await stops.shift()!();
  let ran = false;
  start("well", async () => void (ran = true));
  await eventually(() => ran);
});

test("the lease of a process that died is taken over once it has run out", async () => {
  const heldUntil = new Date(Date.now() + 150);
  await documents.collection(LEASES).insertOne({ _id: "sweep", holder: "dead", heldUntil } as never);
  let ranAt = 0;
  start("alive", async () => void (ranAt ||= Date.now()));
  await eventually(() => ranAt > 0);
  expect(ranAt).toBeGreaterThanOrEqual(heldUntil.getTime());
});

const LEASES: CollectionDefinition = { name: "leases", fields: { holder: "string", heldUntil: "date" } };
const holderOf = async (name: string): Promise<string | undefined> => {
  const lease = await documents.collection(LEASES).findOne({ _id: name, heldUntil: { $gt: new Date() } });
  return (lease as { holder: string } | null)?.holder;
};

test("a lease lasts as long as the task under it, and is given back after it", async () => {
  const leases = createLeases(documents);
  expect(await leases.acquire("long", "a", 1_000)).toBe(true);
  const end = Promise.withResolvers<string>();
  const work = leases.during(
    { name: "long", holder: "a", forMs: 1_000, onError: (error) => end.reject(error) },
    () => end.promise,
  );
  for (const until = Date.now() + 2_500; Date.now() < until; await pause(20)) {
    expect([await holderOf("long"), await leases.acquire("long", "b", 150)]).toEqual(["a", false]);
  }
  end.resolve("done");
  expect(await work).toBe("done");
  expect(await holderOf("long")).toBeUndefined();
  expect(await leases.acquire("long", "b", 10_000)).toBe(true);
  await leases.release("long", "a");
  expect(await holderOf("long")).toBe("b");
});

/** The same store, where each change of a lease first waits for what `before` gives. */
const changing = (before: () => Promise<void>): DocumentStore => ({
  ...documents,
  collection: <D extends Document>(definition: CollectionDefinition): Collection<D> => {
    const real = documents.collection<D>(definition);
    return {
      ...real,
      insertOne: (document) => real.insertOne(document),
      deleteOne: (filter) => real.deleteOne(filter),
      updateOne: async (...args) => {
        await before();
        return real.updateOne(...args);
      },
    };
  },
});
/** The event loop does nothing for so long. */
const standStill = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test("a process that stood still for longer than its lease learns that another has it, before it does harm", async () => {
  const leases = createLeases(documents);
  await leases.acquire("long", "a", 150);
  const errors: unknown[] = [];
  const work = leases.during(
    { name: "long", holder: "a", forMs: 150, onError: (error) => errors.push(error) },
    async ({ signal, confirm }) => {
      await confirm();
      standStill(200);
      expect(await leases.acquire("long", "b", 60_000)).toBe(true);
      await expect(confirm()).rejects.toThrow("The lease long was lost");
      expect(signal.aborted).toBe(true);
      throw signal.reason;
    },
  );
  await expect(work).rejects.toThrow("The lease long was lost");
  expect(errors).toEqual([expect.objectContaining({ message: "The lease long was lost" })]);
  expect(await holderOf("long")).toBe("b");
});

test("a lease that was lost and given back by another is not taken again by a renewal", async () => {
  const leases = createLeases(documents);
  await leases.acquire("long", "a", 60);
  const errors: unknown[] = [];
  await leases.during(
    { name: "long", holder: "a", forMs: 60, onError: (error) => errors.push(error) },
    async ({ signal }) => {
      standStill(100);
      expect(await leases.acquire("long", "b", 60_000)).toBe(true);
      await leases.release("long", "b");
      await eventually(() => signal.aborted);
    },
  );
  expect(errors).toHaveLength(1);
  expect(await holderOf("long")).toBeUndefined();
});

test("a process that stood still while nobody wanted its lease goes on", async () => {
  const leases = createLeases(documents);
  await leases.acquire("long", "a", 1_000);
  const confirmed = leases.during(
    { name: "long", holder: "a", forMs: 1_000, onError: () => undefined },
    async ({ confirm }) => {
      standStill(1_100);
      await confirm();
      return leases.acquire("long", "b", 60);
    },
  );
  expect(await confirmed).toBe(false);
});

test("a lease that cannot be renewed is lost once it has run out, and not before", async () => {
  let isDown = false;
  const leases = createLeases(
    changing(() => (isDown ? Promise.reject(new DocumentStoreError("UNAVAILABLE", "down")) : Promise.resolve())),
  );
  await leases.acquire("long", "a", 1_500);
  const errors: string[] = [];
  let isHeld: boolean | undefined;
  await leases.during(
    { name: "long", holder: "a", forMs: 1_500, onError: (error) => errors.push((error as Error).message) },
    async ({ signal }) => {
      isDown = true;
      await eventually(() => errors.includes("down"));
      isHeld = !signal.aborted;
      await eventually(() => signal.aborted);
    },
  );
  expect(isHeld).toBe(true);
  expect(errors).toContain("The lease long was lost");
});

test("a renewal that is late does not take the lease again that was given back", async () => {
  let gate: PromiseWithResolvers<void> | undefined;
  let isLate = false;
  const leases = createLeases(
    changing(async () => {
      if (!gate) return;
      isLate = true;
      await gate.promise;
    }),
  );
  await leases.acquire("long", "a", 900);
  const work = leases.during({ name: "long", holder: "a", forMs: 900, onError: () => undefined }, async () => {
    gate = Promise.withResolvers();
    await eventually(() => isLate);
  });
  // Without waiting for the renewal it would be given back by now.
  await Promise.race([work, pause(50)]);
  gate!.resolve();
  await work;
  expect(await documents.collection(LEASES).findOne({ _id: "long" })).toBeNull();
});
