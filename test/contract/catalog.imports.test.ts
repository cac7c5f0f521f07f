import { Readable } from "node:stream";
import { expect, test } from "@jest/globals";
import { openDocumentStore } from "../../mixins/document-store/open.ts";
import { createImports } from "../../services/catalog/imports.ts";
import { call } from "../../services/contracts.ts";
import { consumerService } from "../support/consumer-service.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

test("an import that fails reports why, also if its failure cannot be noted", async () => {
  const documents = await openDocumentStore({ dataDir: testSettings().dataDir });
  const importing = createImports(documents).during({ vendor: "BNS", dryRun: false }, async () => {
    await documents.close();
    throw new Error("The file ends within a quotation");
  });
  await expect(importing).rejects.toThrow("The file ends within a quotation");
});

test("an import is answered when search has it, also if search has said nothing to this process yet", async () => {
  const announced = Promise.withResolvers<void>();
  const heard = { "catalog.changed": { group: "search", handler: async () => announced.resolve() } };
  const search = () => ({ name: "search", actions: { refresh: () => ({ indexed: 0 }) } });
  const { broker, stop } = await startTestBroker({
    services: ["catalog", search, consumerService("follower", heard)],
  });
  const order: string[] = [];
  try {
    const importing = call(
      broker,
      "catalog.import",
      { vendor: "KOH", contentType: "text/csv" },
      { stream: Readable.from([Buffer.from("part_number,title,list_price\n24 050 03-S,Filter,5\n")]) },
    ).then(() => order.push("answered"));
    // An answer at once comes before the channel does.
    await announced.promise;
    order.push("followed");
    await broker.broadcast("catalog.followed", { revisions: { KOH: 1 } });
    await importing;
  } finally {
    await stop();
  }
  expect(order).toEqual(["followed", "answered"]);
});
