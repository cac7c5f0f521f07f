import { expect, it } from "@jest/globals";
import { DocumentStoreError, type DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { createSyncRunner } from "../../services/catalog/syncs/sync-runner.ts";

it("gives a sync up that the store neither takes nor shows, instead of asking it for ever", async () => {
  let asked = 0;
  const documents = {
    collection: () => ({ findOne: () => Promise.resolve(null) }),
    atomically: () => {
      asked += 1;
      return Promise.reject(new DocumentStoreError("DUPLICATE_KEY", "running"));
    },
  } as unknown as DocumentStore;
  const never = () => Promise.reject(new Error("never"));
  const runner = createSyncRunner({
    documents,
    tasks: { find: () => Promise.resolve(undefined), wake: () => undefined },
    works: { refresh: never, listing: never },
    timeoutSeconds: 60,
    recordSuccess: () => [],
    onEnded: () => undefined,
  });
  await expect(runner.begin("tires", "KMT", { pageSize: 10, activeBefore: 0 })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: expect.stringContaining("KMT"),
  });
  expect(asked).toBeLessThan(20);
});
