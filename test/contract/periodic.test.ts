import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leasesIn } from "../../broker/lease.ts";
import { startPeriodic } from "../../broker/periodic.ts";
import { openDocumentStore } from "../../mixins/document-store/open.ts";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { eventually } from "../support/eventually.ts";

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
      await new Promise((resolve) => setTimeout(resolve, 3));
      inside--;
      runs.set(holder, (runs.get(holder) ?? 0) + 1);
    });
  }
  await eventually(() => runs.size === 3 && [...runs.values()].every((count) => count >= 2), 20_000);
  expect(most).toBe(1);
});

test("a run that throws is reported and tried again", async () => {
  const errors: string[] = [];
  let runs = 0;
  start("a", async () => {
    runs++;
    if (runs < 3) throw new Error("no");
  }, { errors });
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
  await documents.collection({ name: "leases", fields: { holder: "string", heldUntil: "date" } }).insertOne(
    { _id: "sweep", holder: "dead", heldUntil } as never,
  );
  let ranAt = 0;
  start("alive", async () => void (ranAt ||= Date.now()));
  await eventually(() => ranAt > 0);
  expect(ranAt).toBeGreaterThanOrEqual(heldUntil.getTime());
});

test("a lease lasts as long as the task under it, and is given back after it", async () => {
  const leases = leasesIn(documents);
  expect(await leases.acquire("long", "a", 150)).toBe(true);
  const end = Promise.withResolvers<string>();
  const work = leases.during({ name: "long", holder: "a", forMs: 150, onError: (error) => end.reject(error) }, () => end.promise);
  for (const until = Date.now() + 500; Date.now() < until; ) {
    expect([await leases.holderOf("long"), await leases.acquire("long", "b", 150)]).toEqual(["a", false]);
  }
  end.resolve("done");
  expect(await work).toBe("done");
  expect(await leases.holderOf("long")).toBeUndefined();
  expect(await leases.acquire("long", "b", 10_000)).toBe(true);
  await leases.release("long", "a");
  expect(await leases.holderOf("long")).toBe("b");
});
