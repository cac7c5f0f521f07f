import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { createTasks } from "../../packages/durable/src/tasks/tasks.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { openObjectStore } from "../../packages/durable/src/object-store/open.ts";
import type { ObjectStore } from "../../packages/durable/src/object-store/port.ts";
import { type ReadingDocument, READINGS } from "../../services/pipeline/collections.ts";
import { removeLeftovers, removeManual } from "../../services/pipeline/leftovers.ts";
import { LEFTOVERS_AFTER_MS } from "../../services/pipeline/limits.ts";
import { getSourceKey, STAGED, getTableKey } from "../../services/pipeline/object-keys.ts";
import { createReadings, type Readings } from "../../services/pipeline/readings.ts";
import { createManualResults } from "../../services/pipeline/results/manual-results.ts";
import { createStaging } from "../../services/pipeline/uploads/staging.ts";
import { getManualPrefix } from "../../services/shared/manual-objects.ts";
import { eventually } from "../support/eventually.ts";
import { sha256Of } from "../support/manuals.ts";
import { testSettings } from "../support/test-settings.ts";

const content = Buffer.from("%PDF-1.7 of which nothing could be read");
const sha256 = sha256Of(content);
let documents: DocumentStore;
let objects: ObjectStore;
let readings: Readings;

beforeEach(async () => {
  const { dataDir } = testSettings();
  documents = await openDocumentStore({ dataDir });
  objects = await openObjectStore({ dataDir });
  readings = createReadings(documents, { onChange: () => undefined, onCancelled: () => Promise.resolve() });
  await readings.fail((await send("batch_1", objects))._id, "It is damaged");
  await documents
    .collection<ReadingDocument>(READINGS)
    .updateMany({}, { $set: { updatedAt: new Date(Date.now() - LEFTOVERS_AFTER_MS - 1) } });
});
afterEach(async () => {
  objects.close();
  await documents.close();
});

function send(job: string, store: ObjectStore): Promise<ReadingDocument> {
  return createStaging(store).useStaged(Readable.from([content]), (staged) =>
    readings.want({ ...staged, filename: "a.pdf", equipment: [] }, job, () => []),
  );
}
/** A run that keeps its task. */
const alone = { confirm: () => Promise.resolve() };
const tidyAway = async (): Promise<void> => {
  await removeLeftovers(documents);
  await removeManual(`${sha256}-1`, { documents, objects }, alone);
};
const keysBelow = async (prefix: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of objects.list(prefix)) keys.push(key);
  return keys;
};

test("a file that is sent again while it is being tidied away is there when it is read", async () => {
  let looks = 0;
  const tidied: ObjectStore = {
    ...objects,
    head: async (key) => {
      const found = await objects.head(key);
      // What was seen a moment ago goes.
      if ((looks += 1) === 1) await tidyAway();
      return found;
    },
  };
  const { _id, status } = await send("batch_2", tidied);
  expect([_id, status, looks]).toEqual([`${sha256}-2`, "queued", 2]);
  expect(await keysBelow(getManualPrefix(sha256))).toEqual([getSourceKey(sha256)]);
  await tidyAway();
  expect(await keysBelow(getManualPrefix(sha256))).toEqual([getSourceKey(sha256)]);
  expect(await keysBelow(STAGED)).toEqual([]);
});

test("two nodes that tidy at once delete nothing of a file that is sent again", async () => {
  const [reached, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow: ObjectStore = {
    ...objects,
    delete: async (key) => {
      reached.resolve();
      await go.promise;
      return objects.delete(key);
    },
  };
  const nodes = [slow, objects].map((store) => {
    const tasks = createTasks({ documents, report: { stuck: () => undefined, ended: () => undefined } });
    tasks.handle("pipeline.removal", {
      run: ({ reading }, run) => removeManual(reading as string, { documents, objects: store }, run),
    });
    return tasks;
  });
  try {
    await removeLeftovers(documents);
    await nodes[0]!.start();
    await reached.promise;
    await removeLeftovers(documents);
    await nodes[1]!.start();
    await expect(send("batch_2", objects)).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
    go.resolve();
    expect((await eventually(() => send("batch_3", objects)))._id).toBe(`${sha256}-2`);
    await eventually(async () => !(await nodes[1]!.depths()).has("pipeline.removal"));
    expect(await keysBelow(getManualPrefix(sha256))).toEqual([getSourceKey(sha256)]);
  } finally {
    go.resolve();
    await Promise.all(nodes.map((tasks) => tasks.stop()));
  }
});

test("a run that lost its task deletes nothing more, and does not report that it is done", async () => {
  await objects.put(`${getManualPrefix(sha256)}pages/1.txt`, Readable.from([Buffer.from("Page 1")]));
  await removeLeftovers(documents);
  let asked = 0;
  const lost = { confirm: () => ((asked += 1) > 1 ? Promise.reject(new Error("lost")) : Promise.resolve()) };
  await expect(removeManual(`${sha256}-1`, { documents, objects }, lost)).rejects.toThrow("lost");
  expect(await keysBelow(getManualPrefix(sha256))).toHaveLength(1);
  expect((await readings.find(`${sha256}-1`))!.leftovers).toBe("going");
});

test("a file of which something is being removed is refused at once, saying so, and nothing of what was sent is kept", async () => {
  await documents.collection<ReadingDocument>(READINGS).updateMany({}, { $set: { leftovers: "going" } });
  let decisions = 0;
  const counted: DocumentStore = new Proxy(documents, {
    get: (target, name) => {
      if (name === "atomically") decisions += 1;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  readings = createReadings(counted, { onChange: () => undefined, onCancelled: () => Promise.resolve() });
  await expect(send("batch_2", objects)).rejects.toMatchObject({
    code: "VERSION_CONFLICT",
    message: expect.stringContaining("is being removed; send it again in a moment"),
  });
  expect(decisions).toBe(0);
  expect(await keysBelow(STAGED)).toEqual([]);
  expect(await readings.find(`${sha256}-2`)).toBeNull();
  await tidyAway();
  expect((await send("batch_3", objects))._id).toBe(`${sha256}-2`);
});

test("what was kept for a file is there for a job although the staged copy cannot be removed", async () => {
  const stuck: ObjectStore = { ...objects, delete: () => Promise.reject(new Error("away")) };
  expect((await send("batch_2", stuck)).status).toBe("queued");
});

test("of a manual that is removed several objects go at a time, and all of them", async () => {
  const { _id } = await send("batch_2", objects);
  for (let page = 1; page <= 60; page += 1)
    await objects.put(`${getManualPrefix(sha256)}pages/${page}.txt`, Readable.from([Buffer.from("Page")]));
  await documents.collection<ReadingDocument>(READINGS).updateOne({ _id }, { $set: { status: "completed" } });
  await readings.remove(sha256);
  let [now, most] = [0, 0];
  const watched: ObjectStore = {
    ...objects,
    delete: async (key) => {
      now += 1;
      most = Math.max(most, now);
      await objects.delete(key);
      now -= 1;
    },
  };
  await removeManual(_id, { documents, objects: watched }, alone);
  expect([await keysBelow(getManualPrefix(sha256)), now]).toEqual([[], 0]);
  expect(most).toBeGreaterThan(4);
  expect(most).toBeLessThan(50);
});

test("who looks into a manual that is being removed finds nothing of it, and leaves nothing for the next reading", async () => {
  const table = Buffer.from("[]");
  const read = async (job: string): Promise<string> => {
    const { _id } = await send(job, objects);
    for (const key of [getTableKey(sha256, 1, 1, "json"), getTableKey(sha256, 2, 1, "json")])
      await objects.put(key, Readable.from([table]));
    await documents.collection<ReadingDocument>(READINGS).updateOne({ _id }, { $set: { status: "completed" } });
    return _id;
  };
  const removed = await read("batch_2");
  let isRemoving = false;
  const raced: ObjectStore = {
    ...objects,
    async *list(prefix) {
      if (!isRemoving) {
        isRemoving = true;
        await readings.remove(sha256);
        await objects.delete(getTableKey(sha256, 1, 1, "json"));
      }
      yield* objects.list(prefix);
    },
  };
  const late = await Promise.allSettled([createManualResults(raced, readings, documents).getContents(sha256)]);
  expect(late).toMatchObject([{ status: "rejected", reason: { code: "NOT_FOUND" } }]);
  await removeManual(removed, { documents, objects }, alone);

  // Or its answer comes to be kept only now.
  let again: Promise<unknown> | undefined;
  await read("batch_3");
  const slow: ObjectStore = {
    ...objects,
    put: async (key, body, options) => {
      again ??= (async () => {
        await readings.remove(sha256);
        await removeManual(`${sha256}-3`, { documents, objects }, alone);
        await read("batch_4");
        await objects.put(getTableKey(sha256, 3, 1, "json"), Readable.from([table]));
      })();
      await again;
      return objects.put(key, body, options);
    },
  };
  expect((await createManualResults(slow, readings, documents).getContents(sha256)).tables).toHaveLength(2);
  const { tables } = await createManualResults(objects, readings, documents).getContents(sha256);
  expect(tables.map(({ page }) => page)).toEqual([1, 2, 3]);
});

test("removing a manual that breaks off goes on where it is repeated, and until then its file is not taken", async () => {
  const { _id } = await send("batch_2", objects);
  await objects.put(`${getManualPrefix(sha256)}pages/1.txt`, Readable.from([Buffer.from("Page 1")]));
  await documents.collection<ReadingDocument>(READINGS).updateOne({ _id }, { $set: { status: "partially_failed" } });
  await readings.remove(sha256);
  expect([await readings.withResults(sha256), (await readings.find(_id))!.expiresAt]).toEqual([null, undefined]);
  let deletes = 0;
  const breaking: ObjectStore = {
    ...objects,
    delete: (key) => ((deletes += 1) === 2 ? Promise.reject(new Error("away")) : objects.delete(key)),
  };
  await expect(removeManual(_id, { documents, objects: breaking }, alone)).rejects.toThrow("away");
  expect(await keysBelow(getManualPrefix(sha256))).toHaveLength(1);
  await expect(send("batch_3", objects)).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
  await removeManual(_id, { documents, objects }, alone);
  expect(await keysBelow(getManualPrefix(sha256))).toEqual([]);
  expect((await send("batch_4", objects))._id).toBe(`${sha256}-3`);
  await removeManual(_id, { documents, objects }, alone);
  expect(await keysBelow(getManualPrefix(sha256))).toEqual([getSourceKey(sha256)]);
});
