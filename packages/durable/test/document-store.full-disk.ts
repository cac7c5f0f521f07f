import { DocumentStoreError } from "../src/document-store/port.ts";
import { openSqliteStore } from "../src/document-store/sqlite/store.ts";

/**
 * Writes until the disk takes no more; prints how many writes were acknowledged, the error's code, and what can be
 * read, of a collection that was never used before, too.
 */
const store = await openSqliteStore({ directory: process.argv[2]! });
const collection = store.collection<{ _id: string; text: string }>({ name: "things" });
let acknowledged = 0;
let code = "none";
while (code === "none" && acknowledged < 1_000) {
  try {
    await collection.insertOne({ _id: String(acknowledged), text: "x".repeat(20_000) });
    acknowledged++;
  } catch (error) {
    code = error instanceof DocumentStoreError ? error.code : String(error);
  }
}
const unused = store.collection<{ _id: string }>({
  name: "unused",
  fields: { n: "number" },
  indexes: [{ keys: { n: 1 } }],
});
const ofUnused: unknown[] = [await unused.count({}), await unused.find({ n: 1 }), await unused.findOne({ _id: "a" })];
for await (const document of unused.iterate({})) ofUnused.push(document);
process.stdout.write(JSON.stringify({ acknowledged, code, readable: await collection.count({}), ofUnused }));
process.exit(0);
