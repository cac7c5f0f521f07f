import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DocumentStore } from "../src/document-store/port.ts";
import { openSqliteStore } from "../src/document-store/sqlite/store.ts";
import { expectAcknowledged, writeUntilKilled } from "./document-store.crash.ts";
import { documentWriter } from "./document-store.writer.ts";

let directory: string;
let opened: { close(): Promise<void> }[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "document-store-"));
  opened = [];
});
afterEach(async () => {
  for (const each of opened) await each.close();
  await rm(directory, { recursive: true });
});

const open = async (busyTimeoutMs?: number): Promise<DocumentStore> => {
  const store = await openSqliteStore({ directory, busyTimeoutMs });
  opened.push(store);
  return store;
};
const things = { name: "things" };
const unavailable = { code: "UNAVAILABLE" };

describe("embedded document store", () => {
  test("a process that is killed at any moment loses nothing that it acknowledged, and lets go of the directory", async () => {
    const lines: string[] = [];
    for (const run of ["one", "two", "three", "four"]) {
      lines.push(
        ...(await writeUntilKilled(run, undefined, directory, async () => {
          await expect(openSqliteStore({ directory })).rejects.toMatchObject({
            ...unavailable,
            message: expect.stringContaining("another process"),
          });
        })),
      );
      const store = await openSqliteStore({ directory });
      await expectAcknowledged(store, lines);
      await store.close();
    }
  }, 60_000);

  test("is opened once, also within one process, and again after it was closed", async () => {
    const store = await openSqliteStore({ directory });
    await expect(openSqliteStore({ directory })).rejects.toMatchObject(unavailable);
    const other = await openSqliteStore({ directory: join(directory, "other") });
    await other.close();
    await store.collection(things).insertOne({ _id: "a" });
    await store.close();
    await store.close();
    expect(await (await open()).collection(things).find({})).toEqual([{ _id: "a" }]);
  });

  test("a closed store answers UNAVAILABLE to everything", async () => {
    const store = await openSqliteStore({ directory });
    const collection = store.collection(things);
    await collection.insertOne({ _id: "a" });
    const underWay = collection.insertOne({ _id: "b" });
    await store.close();
    await underWay;
    await expect(collection.insertOne({ _id: "c" })).rejects.toMatchObject(unavailable);
    await expect(collection.findOne({ _id: "a" })).rejects.toMatchObject(unavailable);
    await expect(collection.find({})).rejects.toMatchObject(unavailable);
    await expect(collection.count({})).rejects.toMatchObject(unavailable);
    await expect(store.ping()).rejects.toMatchObject(unavailable);
    expect((await (await open()).collection(things).find({})).length).toBe(2);
  });

  test("a file that another process holds locked: writes are refused after the wait, reads go on, then all is well", async () => {
    const store = await open(150);
    const collection = store.collection(things);
    await collection.insertOne({ _id: "a" });
    const intruder = new DatabaseSync(join(directory, "documents.sqlite"));
    intruder.exec("BEGIN IMMEDIATE");
    const [first, second] = await Promise.allSettled([
      collection.insertOne({ _id: "b" }),
      store.atomically([{ collection: things, insertOne: { _id: "c" } }]),
    ]);
    expect([first, second]).toMatchObject([{ reason: unavailable }, { reason: unavailable }]);
    expect(await collection.find({})).toEqual([{ _id: "a" }]);
    const patient = collection.insertOne({ _id: "d" });
    intruder.exec("ROLLBACK");
    intruder.close();
    await patient;
    await collection.insertOne({ _id: "b" });
    expect((await collection.find({}, { sort: { _id: 1 } })).map(({ _id }) => _id)).toEqual(["a", "b", "d"]);
  });

  test("a writer thread that dies rejects what it had not answered, and the next write starts another", async () => {
    const writer = documentWriter(join(directory, "thread.sqlite"), things);
    opened.push(writer);
    await writer.request({ kind: "ensure", definition: things });
    const insert = (id: string): Promise<unknown> =>
      writer.request({ kind: "write", collection: "things", write: { kind: "insert", document: { _id: id } } });
    await insert("a");
    const lost = Promise.allSettled([insert("b"), insert("c")]);
    await Promise.resolve();
    await writer.worker!.terminate();
    for (const outcome of await lost)
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "OUTCOME_UNKNOWN" });
    await insert("d");
    const file = new DatabaseSync(join(directory, "thread.sqlite"), { readOnly: true });
    expect(
      file
        .prepare("SELECT id FROM things WHERE id IN ('a', 'd') ORDER BY id")
        .all()
        .map(({ id }) => id),
    ).toEqual(["a", "d"]);
    file.close();
  });

  test("a full disk refuses with UNAVAILABLE; the file opens later with every acknowledged document, and takes writes", async () => {
    // The limit on file size makes the operating system refuse writes, as a full disk does.
    const script = fileURLToPath(new URL("./document-store.full-disk.ts", import.meta.url));
    const printed = execFileSync(
      "bash",
      ["-c", 'ulimit -S -f 600 && exec "$0" "$@"', process.execPath, script, directory],
      { encoding: "utf8" },
    );
    const { acknowledged, code, readable, ofUnused } = JSON.parse(printed) as {
      acknowledged: number;
      code: string;
      readable: number;
      ofUnused: unknown[];
    };
    expect(code).toBe("UNAVAILABLE");
    expect(acknowledged).toBeGreaterThan(5);
    expect(readable).toBe(acknowledged);
    expect(ofUnused).toEqual([0, [], null]);
    const collection = (await open()).collection(things);
    expect(await collection.count({})).toBe(acknowledged);
    await collection.insertOne({ _id: "later" });
    expect(await collection.findOne({ _id: "later" })).toEqual({ _id: "later" });
  });

  test("a scan that no index helps lets the event loop run", async () => {
    const collection = (await open()).collection<{ _id: string; n: number }>({ ...things, fields: { n: "number" } });
    const rows = Array.from({ length: 5_000 }, (_, n) => ({ _id: String((n * 7) % 5_000).padStart(4, "0"), n }));
    await collection.bulkWrite(rows.map((row) => ({ insertOne: row })));
    for (const scan of [
      () => collection.find({ n: -1 }),
      () => collection.count({ n: -1 }),
      () => collection.find({}, { sort: { n: 1 }, limit: 3 }),
      () => collection.find({ n: -1 }, { sort: { _id: 1 }, limit: 3 }),
    ]) {
      let turns = 0;
      let done = false;
      const count = (): void => {
        turns++;
        if (!done) setImmediate(count);
      };
      setImmediate(count);
      await scan();
      done = true;
      expect(turns).toBeGreaterThanOrEqual(8);
    }
    expect(await collection.find({}, { sort: { n: -1 }, skip: 2, limit: 2 })).toMatchObject([
      { n: 4_997 },
      { n: 4_996 },
    ]);
    // By an index: what is met soon, and what is not.
    for (const [from, direction] of [
      [0, 1],
      [0, -1],
      [4_990, 1],
      [4_990, -1],
    ] as const) {
      const matches = rows.filter(({ n }) => n >= from).sort((a, b) => (a._id < b._id ? -direction : direction));
      const options = { sort: { _id: direction }, skip: 2, limit: 4 };
      expect(await collection.find({ n: { $gte: from } }, options)).toEqual(matches.slice(2, 6));
    }
  });
});
