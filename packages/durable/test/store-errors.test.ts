import { describe, expect, it } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { DocumentStoreError, hasStoreCode, isStoreAway } from "../src/document-store/port.ts";
import { EventLogError, hasEventLogCode } from "../src/event-log/port.ts";

describe("A store's error that another node answered with", () => {
  it("is known by its name and code", async () => {
    const namespace = `store-errors-${process.pid}`;
    const [asking, answering] = ["asking", "answering"].map(
      (nodeID) => new ServiceBroker({ namespace, nodeID, transporter: "Fake", logger: false }),
    );
    answering!.createService({
      name: "stores",
      actions: {
        documents: () => Promise.reject(new DocumentStoreError("OUTCOME_UNKNOWN", "away")),
        events: () => Promise.reject(new EventLogError("UNAVAILABLE", "away")),
      },
    });
    await Promise.all([asking!.start(), answering!.start()]);
    try {
      await asking!.waitForServices("stores");
      const [documents, events] = await Promise.all(
        ["stores.documents", "stores.events"].map((action) => asking!.call(action).catch((error: unknown) => error)),
      );
      expect(documents).not.toBeInstanceOf(DocumentStoreError);
      expect([
        isStoreAway(documents),
        hasStoreCode(documents, "UNAVAILABLE"),
        hasStoreCode(events, "UNAVAILABLE"),
      ]).toEqual([true, false, false]);
      expect([hasEventLogCode(events, "UNAVAILABLE"), hasEventLogCode(documents, "OUTCOME_UNKNOWN")]).toEqual([
        true,
        false,
      ]);
    } finally {
      await Promise.all([asking!.stop(), answering!.stop()]);
    }
  });
});
