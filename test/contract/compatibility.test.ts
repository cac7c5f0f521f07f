import { expect, test } from "@jest/globals";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isCompatible, type Speech } from "../../broker/cluster/compatibility.ts";
import { assertStoreFits, claimStore } from "../../broker/cluster/store-identity.ts";
import { startNode } from "../../bin/node.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { Document } from "../../packages/durable/src/document-store/port.ts";
import { openSearchIndex } from "../../packages/parts-search/src/search-index/open.ts";
import { freePorts } from "../support/ports.ts";
import { testSettings } from "../support/test-settings.ts";

const newDataDir = (): string => mkdtempSync(join(tmpdir(), "partline-compatibility-"));

test.each<[Speech, Speech, boolean]>([
  [{ number: 1, oldest: 1 }, { number: 1, oldest: 1 }, true],
  [{ number: 1, oldest: 1 }, { number: 2, oldest: 1 }, true],
  [{ number: 1, oldest: 1 }, { number: 2, oldest: 2 }, false],
  [{ number: 5, oldest: 4 }, { number: 4, oldest: 1 }, true],
])("%j beside %j: %j, in either order", (one, other, fits) => {
  expect([isCompatible(one, other), isCompatible(other, one)]).toEqual([fits, fits]);
});

test("a store that a later version has written to is for those that can follow it", async () => {
  const documents = await openDocumentStore({ dataDir: newDataDir() });
  const start = async (version: string, speech: Speech): Promise<void> => {
    await assertStoreFits(documents, version, speech);
    await claimStore(documents, version, speech);
  };
  await start("1.0.0", { number: 1, oldest: 1 });
  await Promise.all([start("1.1.0", { number: 2, oldest: 1 }), start("1.0.0", { number: 1, oldest: 1 })]);
  await start("1.0.0", { number: 1, oldest: 1 });
  await start("2.0.0", { number: 3, oldest: 2 });
  await expect(start("1.0.0", { number: 1, oldest: 1 })).rejects.toThrow(
    "Partline 1.0.0 cannot use this store, to which 2.0.0 has written",
  );
  await start("1.1.0", { number: 2, oldest: 1 });
  await documents.close();
});

test("a version that runs beside none before it takes over their store, when they are stopped, for good", async () => {
  const documents = await openDocumentStore({ dataDir: newDataDir() });
  await claimStore(documents, "1.0.0", { number: 1, oldest: 1 });
  await assertStoreFits(documents, "2.0.0", { number: 2, oldest: 2 });
  await assertStoreFits(documents, "1.0.0", { number: 1, oldest: 1 });
  await claimStore(documents, "2.0.0", { number: 2, oldest: 2 });
  await expect(assertStoreFits(documents, "1.0.0", { number: 1, oldest: 1 })).rejects.toThrow(
    "Partline 1.0.0 cannot use this store, to which 2.0.0 has written",
  );
  await documents.close();
});

test("a node claims its store when it is let in, and not if its start ends before", async () => {
  const settings = testSettings({ SERVICES: "catalog,search,http:catalog", CATALOG_PORT: String(await freePorts(1)) });
  const claimed = async (): Promise<string[]> => {
    const documents = await openDocumentStore({ dataDir: settings.dataDir });
    const found = await documents
      .collection<Document & { version: string }>({ name: "compatibility", fields: { number: "number" } })
      .find({});
    await documents.close();
    return found.map(({ version }) => version);
  };
  const held = await openSearchIndex({ directory: join(settings.dataDir, "search"), synonyms: [] });
  await expect(startNode(settings)).rejects.toMatchObject({ name: "SettingsError" });
  await held.close();
  expect(await claimed()).toEqual([]);
  await (await startNode(settings)).stop();
  expect(await claimed()).toEqual([settings.version]);
});
