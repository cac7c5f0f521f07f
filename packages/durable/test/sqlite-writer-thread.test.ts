/**
 * The thread is one for all stores of a process.
 *
 * @jest-environment-options {"hasOwnModules": true}
 */
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openDocumentStore } from "../src/document-store/open.ts";
import type { WriterThread } from "../src/sqlite/writer-thread.ts";
import type { Request } from "../src/document-store/sqlite/protocol.ts";
import { openEventLog } from "../src/event-log/open.ts";
import { documentWriter } from "./document-store.writer.ts";
import { newEvent } from "./event-log.support.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "writer-thread-"));
});
afterEach(() => rm(directory, { recursive: true }));

const things = { name: "things" };
const writerOf = (file: string) => documentWriter(join(directory, file), things);
const insert = (writer: WriterThread<Request>, _id: string): Promise<unknown> =>
  writer.request({ kind: "write", collection: "things", write: { kind: "insert", document: { _id } } });

test("the stores of a process share one thread, which ends with the last of them", async () => {
  const [one, two] = [writerOf("one.sqlite"), writerOf("two.sqlite")];
  await Promise.all([one, two].map((writer) => writer.request({ kind: "ensure", definition: things })));
  expect(one.worker).toBe(two.worker);
  const ended = once(one.worker!, "exit");
  await one.close();
  await insert(two, "a");
  await expect(insert(one, "a")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await two.close();
  await ended;
});

test("a store that cannot be opened is UNAVAILABLE, again and again, and no other store notices", async () => {
  await writeFile(join(directory, "broken.sqlite"), "this is no database ".repeat(100));
  const [whole, broken] = [writerOf("whole.sqlite"), writerOf("broken.sqlite")];
  await whole.request({ kind: "ensure", definition: things });
  const worker = whole.worker;
  for (let n = 0; n < 3; n++) {
    const outcomes = await Promise.allSettled([
      broken.request({ kind: "ping" }),
      insert(whole, `a${n}`),
      broken.request({ kind: "ping" }),
    ]);
    expect(outcomes).toMatchObject([
      { reason: { code: "UNAVAILABLE" } },
      { status: "fulfilled" },
      { reason: { code: "UNAVAILABLE" } },
    ]);
  }
  expect(whole.worker).toBe(worker);
  await Promise.all([broken.close(), whole.close()]);
});

test("a file that somebody else holds locked keeps no other store from being written; its own writes go through or are refused after their wait", async () => {
  const [held, free] = [writerOf("held.sqlite"), writerOf("free.sqlite")];
  await Promise.all([held, free].map((writer) => writer.request({ kind: "ensure", definition: things })));
  const intruder = new DatabaseSync(join(directory, "held.sqlite"));
  intruder.exec("BEGIN IMMEDIATE");
  const refused = insert(held, "a").then(
    () => "written",
    (error: { code: string }) => error.code,
  );
  for (let n = 0; n < 50; n++) await insert(free, `b${n}`);
  expect(await Promise.race([refused, Promise.resolve("still waiting")])).toBe("still waiting");
  expect(await refused).toBe("UNAVAILABLE");
  const waits = insert(held, "c");
  await insert(free, "c");
  intruder.close();
  await waits;
  expect(await insert(held, "a")).toBeDefined();
  await Promise.all([held.close(), free.close()]);
});

test("a store that is closed while its file is locked is closed when what it was asked is answered", async () => {
  const held = writerOf("held.sqlite");
  await held.request({ kind: "ensure", definition: things });
  const intruder = new DatabaseSync(join(directory, "held.sqlite"));
  intruder.exec("BEGIN IMMEDIATE");
  const written = insert(held, "a");
  const closed = held.close();
  intruder.close();
  await Promise.all([written, closed]);
});

test("a thread that dies takes no store with it: each goes on with its next write", async () => {
  const documents = await openDocumentStore({ dataDir: directory });
  const log = await openEventLog({ dataDir: directory });
  const collection = documents.collection(things);
  const writer = writerOf("third.sqlite");
  await Promise.all([
    collection.insertOne({ _id: "a" }),
    log.appendToStream(newEvent("a")),
    writer.request({ kind: "ping" }),
  ]);
  await writer.worker!.terminate();
  await collection.insertOne({ _id: "b" });
  expect(await log.appendToStream(newEvent("a"))).toMatchObject({ version: 2 });
  await writer.request({ kind: "ping" });
  expect(await collection.count({})).toBe(2);
  await Promise.all([documents.close(), log.close(), writer.close()]);
});
