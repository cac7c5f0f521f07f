import { afterEach, expect, test } from "@jest/globals";
import { rm } from "node:fs/promises";
import { openDocumentStore } from "../../durable/src/document-store/open.ts";
import type { DocumentStore } from "../../durable/src/document-store/port.ts";
import { testSettings } from "../../../test/support/test-settings.ts";
import { catalog } from "../src/support/growth/catalog.ts";
import type { Family } from "../src/support/growth/family.ts";
import { fitment } from "../src/support/growth/fitment.ts";
import { orders } from "../src/support/growth/orders.ts";
import { watchScans } from "../src/support/growth/watch-scans.ts";
import { work } from "../src/support/growth/work.ts";

const ROWS = 200;
/** Reads of a whole collection that are meant. */
const MEANT = [
  // One document for each vendor, group of handlers, language or endpoint.
  /^(catalog_vendors|catalog_vendor_names|channel_groups|search_synonyms|webhook_endpoints)[.]find\b/,
  // Statistics of all time add up every order.
  /^orders[.]iterate$/,
  // Any part of a text, which is read a few at a time.
  /^orders[.]find searchText$/,
  /^users[.](find|count) [$]or deletedAt$/,
];

let opened: { documents: DocumentStore; dataDir: string } | undefined;
afterEach(async () => {
  await opened?.documents.close();
  if (opened) await rm(opened.dataDir, { recursive: true, force: true });
});

test.each<[string, Family]>([orders, catalog, fitment, work].map((family) => [family.name, family]))(
  "no operation on %s passes through a collection that grows",
  async (_name, family) => {
    const settings = testSettings();
    const { dataDir } = settings;
    const documents = await openDocumentStore({ dataDir });
    opened = { documents, dataDir };
    await family.fill({ documents, settings }, ROWS);
    const scans = new Set<string>();
    const watched = watchScans(documents, (scan) => scans.add(scan));
    const { operations, close } = await family.open({ documents: watched, settings }, ROWS);
    for (const operation of Object.values(operations)) await operation(0);
    await close();
    expect([...scans].filter((scan) => !MEANT.some((pattern) => pattern.test(scan)))).toEqual([]);
  },
  60_000,
);
