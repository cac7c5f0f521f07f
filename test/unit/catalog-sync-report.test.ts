import { describe, expect, it } from "@jest/globals";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import {
  createSyncReader,
  NO_ROWS,
  SYNC_PAGES,
  SYNCS,
  type SyncPage,
  type SyncRecord,
} from "../../services/catalog/syncs/records.ts";
import { testSettings } from "../support/test-settings.ts";

describe("the report of a sync", () => {
  it("lists a thousand of each kind of problem, and a page that failed behind a thousand items that were refused", async () => {
    const documents = await openDocumentStore({ dataDir: testSettings().dataDir });
    const expiresAt = new Date(Date.now() + 60_000);
    const record: SyncRecord = {
      _id: "sync_1",
      kind: "tires",
      vendor: "KMT",
      status: "partially_failed",
      startedAt: new Date(),
      deadline: expiresAt,
      pageSize: 100,
      pages: { done: 11, failed: 2 },
      rows: NO_ROWS,
      discontinued: 0,
      activeBefore: 0,
      notes: [],
      expiresAt,
    };
    await documents.collection<SyncRecord>(SYNCS).insertOne(record);
    for (let page = 1; page <= 13; page += 1) {
      const failed = page > 11;
      const problems = failed ? [] : Array.from({ length: 100 }, (_, index) => ({ item: index + 1, reason: "broken" }));
      const told: SyncPage = {
        _id: `sync_1:${page}`,
        syncId: "sync_1",
        page,
        pageSize: 100,
        totalPages: 13,
        items: 100,
        listed: [],
        problems,
        expiresAt,
        ...(failed ? { reason: "gone" } : {}),
      };
      await documents.collection<SyncPage>(SYNC_PAGES).insertOne(told);
    }
    const report = await createSyncReader(documents).report("sync_1");
    expect(report.refused).toHaveLength(1_000);
    expect(report.errors).toEqual([
      { page: 12, reason: "gone" },
      { page: 13, reason: "gone" },
    ]);
    await documents.close();
  });
});
