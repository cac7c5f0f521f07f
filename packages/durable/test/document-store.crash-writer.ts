import { openDocumentStore } from "../src/document-store/open.ts";
import { hasStoreCode } from "../src/document-store/port.ts";

/**
 * A process that writes as fast as it may until it is killed, and prints the id of each write that was acknowledged.
 * Arguments: name of this run; MongoDB URL or "-"; data directory.
 */
const [run, mongoUrl, dataDir] = process.argv.slice(2) as [string, string, string];
const store = await openDocumentStore({ mongoUrl: mongoUrl === "-" ? undefined : mongoUrl, dataDir });
const single = store.collection({ name: "single" });
const batches = store.collection({ name: "batches", fields: { batch: "string" }, indexes: [{ keys: { batch: 1 } }] });
const counters = store.collection({ name: "counters" });

const acknowledge = (line: string): boolean => process.stdout.write(`${line}\n`);

async function write(id: string): Promise<void> {
  await single.insertOne({ _id: id });
  acknowledge(`single ${id}`);
  await store.atomically([
    ...[1, 2, 3].map((part) => ({ collection: batches.definition, insertOne: { _id: `${id}-${part}`, batch: id } })),
    {
      collection: counters.definition,
      // Of this run: a server keeps what a killed process had begun to write from all others for a minute.
      updateOne: { filter: { _id: run }, update: { $inc: { n: 1 } }, upsert: true },
    },
  ]);
  acknowledge(`batch ${id}`);
}

/** A server that is too busy to answer has acknowledged nothing; the next write is another one. */
async function writeOn(writer: number): Promise<never> {
  for (let n = 0; ; n++) {
    await write(`${run}-${writer}-${n}`).catch((error: unknown) => {
      if (!hasStoreCode(error, "UNAVAILABLE")) throw error;
    });
  }
}

await Promise.all([0, 1, 2, 3].map(writeOn));
