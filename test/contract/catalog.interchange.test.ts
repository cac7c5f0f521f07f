import { expect, test } from "@jest/globals";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { createCrossReferences, type CrossReference } from "../../services/catalog/interchange/cross-references.ts";
import { useStores } from "./catalog.support.ts";

const open = useStores("interchange");

const reference = (number: string, source: string): CrossReference => ({
  part: { vendor: "KAW", partNumber: "A1", pnNorm: "A1" },
  other: { vendor: "KOH", partNumber: number, pnNorm: number },
  direction: "both",
  source,
});

test("a reference that another source takes over while its own is removed stays", async () => {
  const documents = await open();
  const references = createCrossReferences(documents);
  await references.write([reference("B1", "old"), reference("B2", "old")]);
  let meanwhile = (): Promise<unknown> => references.write([reference("B2", "new")]);
  /** Another import comes between the look for a source's references and their end. */
  const between: DocumentStore["collection"] = (definition) => {
    const collection = documents.collection(definition);
    const find = async (...asked: Parameters<typeof collection.find>) => {
      const found = await collection.find(...asked);
      await meanwhile();
      meanwhile = async () => undefined;
      return found;
    };
    return new Proxy(collection, {
      get: (_, name) => (name === "find" ? find : (Reflect.get(collection, name) as () => unknown).bind(collection)),
    }) as never;
  };
  const removing = createCrossReferences({ ...documents, backend: documents.backend, collection: between });
  expect(await removing.removeSource("old")).toBe(1);
  expect((await references.page({}, { page: 1, pageSize: 10 })).found).toMatchObject([{ source: "new" }]);
});
