import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { openDocumentStore } from "../../durable/src/document-store/open.ts";
import { openEventLog } from "../../durable/src/event-log/open.ts";
import { openObjectStore, readObject } from "../../durable/src/object-store/open.ts";
import { openPassageIndex } from "../src/passage-index/open.ts";
import { openSearchIndex } from "../src/search-index/open.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { newEvent } from "../../durable/test/event-log.support.ts";

const unavailable = { code: "UNAVAILABLE" };

let dataDir: string;
let logged: string[];
const note = (message: string): void => void logged.push(message);
const logger = { warn: note, error: note };
beforeEach(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), "stores-removed-")), "data");
  logged = [];
});
afterEach(() => rm(join(dataDir, ".."), { recursive: true, force: true }));

/** What each embedded store of SQLite reads and writes; `write` must be acknowledged only where it is kept. */
const STORES = {
  documents: async () => {
    const store = await openDocumentStore({ dataDir, logger });
    const things = store.collection<{ _id: string }>({ name: "things" });
    return {
      file: "documents.sqlite",
      write: (id: string) => things.insertOne({ _id: id }),
      read: () => things.findOne({ _id: "a" }),
      ping: () => store.ping(),
      close: () => store.close(),
    };
  },
  events: async () => {
    const log = await openEventLog({ dataDir, logger });
    return {
      file: "events.db",
      write: (id: string) => log.appendToStream(newEvent(id)),
      read: () => log.head(),
      ping: () => log.ping(),
      close: () => log.close(),
    };
  },
};

test.each(["documents", "events"] as const)(
  "%s that are removed under a running store acknowledge no write, and the log says so once",
  async (name) => {
    const { write, read, ping, close } = await STORES[name]();
    await write("a");
    await rm(dataDir, { recursive: true });
    await expect(write("b")).rejects.toMatchObject(unavailable);
    await eventually(() => logged.length > 0);
    await mkdir(dataDir);
    await expect(read()).rejects.toMatchObject(unavailable);
    await expect(ping()).rejects.toMatchObject(unavailable);
    await Promise.all(["c", "d"].map((id) => expect(write(id)).rejects.toMatchObject(unavailable)));
    await close();
    expect(logged).toEqual([
      expect.stringMatching(
        /(documents\.sqlite|events\.db) was removed or replaced while it was in use: stop Partline, .* start it again$/,
      ),
    ]);
  },
);

test.each(["documents", "events"] as const)(
  "%s that are replaced are not written to, and those that are put back are used again",
  async (name) => {
    const { file, write, read, close } = await STORES[name]();
    await write("a");
    const path = join(dataDir, file);
    await rename(path, `${path}.away`);
    await copyFile(`${path}.away`, path);
    const restored = await readFile(path);
    await expect(write("b")).rejects.toMatchObject(unavailable);
    await eventually(() => logged.length > 0);
    await expect(read()).rejects.toMatchObject(unavailable);
    expect((await readFile(path)).equals(restored)).toBe(true);
    await rename(`${path}.away`, path);
    await eventually(() =>
      read().then(
        () => true,
        () => false,
      ),
    );
    await write("b");
    await close();
  },
);

test("indexes that are removed answer no search and begin no build", async () => {
  const search = await openSearchIndex({ directory: join(dataDir, "search"), synonyms: [], logger });
  const passages = await openPassageIndex({ directory: join(dataDir, "passages"), synonyms: [] });
  await passages.put({ manual: "a", passages: [] });
  expect(await search.status()).toMatchObject({ parts: { documents: 0 } });
  await rm(dataDir, { recursive: true });
  await eventually(() => logged.length > 0);
  await expect(search.status()).rejects.toMatchObject(unavailable);
  await expect(search.startBuild(["parts"])).rejects.toMatchObject(unavailable);
  await eventually(() =>
    passages.manuals().then(
      () => false,
      () => true,
    ),
  );
  await expect(passages.put({ manual: "b", passages: [] })).rejects.toMatchObject(unavailable);
  await Promise.all([search.close(), passages.close()]);
  expect(logged).toEqual([expect.stringContaining("was removed or replaced")]);
});

test("objects whose folder is removed are UNAVAILABLE, and not absent", async () => {
  const store = await openObjectStore({ dataDir });
  await store.put("a/b", Readable.from([Buffer.from("x")]));
  await rm(dataDir, { recursive: true });
  await mkdir(dataDir);
  await expect(readObject(store, "a/b")).rejects.toMatchObject(unavailable);
  await expect(store.head("a/b")).rejects.toMatchObject(unavailable);
  await expect(store.delete("a/b")).rejects.toMatchObject(unavailable);
  await expect(store.list("a/")[Symbol.asyncIterator]().next()).rejects.toMatchObject(unavailable);
  await expect(store.put("a/b", Readable.from([Buffer.from("x")]))).rejects.toMatchObject(unavailable);
});
