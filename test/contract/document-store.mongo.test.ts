import { describe, expect, test } from "@jest/globals";
import type { MongoStore } from "../../mixins/document-store/mongo/store.ts";
import { openDocumentStore } from "../../mixins/document-store/open.ts";
import { mongoTestUrl } from "../support/mongo.ts";
import { documentStoreContract } from "./document-store.contract.ts";
import { expectAcknowledged, writeUntilKilled } from "./document-store.crash.ts";

if (process.env.MONGO_URL) {
  const url = mongoTestUrl("documents");
  documentStoreContract("MongoDB", () => openDocumentStore({ mongoUrl: url, dataDir: "" }), { runs: 15 });

  describe("MongoDB document store", () => {
    test("a process that is killed at any moment loses nothing that it acknowledged", async () => {
      const crashUrl = mongoTestUrl("crash");
      const store = await openDocumentStore({ mongoUrl: crashUrl, dataDir: "" });
      const lines: string[] = [];
      for (const run of ["one", "two"]) {
        lines.push(...(await writeUntilKilled(run, crashUrl, "")));
        await expectAcknowledged(store, lines);
      }
      await store.close();
    }, 120_000);

    test("many processes may make the same indexes at once", async () => {
      const indexUrl = mongoTestUrl("indexes");
      const stores = await Promise.all(Array.from({ length: 5 }, () => openDocumentStore({ mongoUrl: indexUrl, dataDir: "" })));
      const definition = { name: "things", fields: { code: "string", until: "date" }, indexes: [{ keys: { code: 1 }, unique: true }], expires: "until" } as const;
      const outcomes = await Promise.allSettled(stores.map((store, n) => store.collection<{ _id: string; code: string }>({ ...definition, indexes: [...definition.indexes] }).insertOne({ _id: String(n), code: "one" })));
      expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBe(1);
      await Promise.all(stores.map((store) => store.close()));
    }, 30_000);

    test("who looks at the same moment whether it is there is given one answer", async () => {
      const store = (await openDocumentStore({ mongoUrl: url, dataDir: "" })) as MongoStore;
      let asked = 0;
      const command = store.database.command.bind(store.database);
      store.database.command = (...given: Parameters<typeof command>) => {
        asked++;
        return command(...given);
      };
      await Promise.all(Array.from({ length: 12 }, () => store.ping()));
      expect(asked).toBe(1);
      await store.ping();
      expect(asked).toBe(2);
      await store.close();
    });

    test("a closed store answers UNAVAILABLE", async () => {
      const store = await openDocumentStore({ mongoUrl: url, dataDir: "" });
      await store.close();
      await expect(store.ping()).rejects.toMatchObject({ code: "UNAVAILABLE" });
      await expect(store.collection({ name: "things" }).findOne({ _id: "a" })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    });
  });
} else {
  describe.skip("document store: MongoDB", () => {
    test("needs MONGO_URL", () => undefined);
  });
}

describe("a MongoDB that is not there", () => {
  test("is UNAVAILABLE within seconds, and the error does not quote the URL", async () => {
    const started = Date.now();
    const failure = await openDocumentStore({ mongoUrl: "mongodb://user:secret@127.0.0.1:9/shop", dataDir: "" }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "UNAVAILABLE" });
    expect(String(failure)).not.toContain("secret");
    expect(Date.now() - started).toBeLessThan(10_000);
  }, 15_000);
});
