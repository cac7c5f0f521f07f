import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { Collection } from "mongodb";
import type { MongoStore } from "../src/document-store/mongo/store.ts";
import { openDocumentStore } from "../src/document-store/open.ts";
import type { DocumentStore } from "../src/document-store/port.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { startTcpProxy, type TcpProxy } from "../../../test/support/tcp-proxy.ts";
import { mongoTestUrl } from "../../../test/support/mongo.ts";
import { documentStoreContract } from "./document-store.contract.ts";
import { expectAcknowledged, writeUntilKilled } from "./document-store.crash.ts";

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "no error",
    (error: { code?: unknown }) => error.code,
  );

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
      const stores = await Promise.all(
        Array.from({ length: 5 }, () => openDocumentStore({ mongoUrl: indexUrl, dataDir: "" })),
      );
      const definition = {
        name: "things",
        fields: { code: "string", until: "date" },
        indexes: [{ keys: { code: 1 }, unique: true }],
        expires: "until",
      } as const;
      const outcomes = await Promise.allSettled(
        stores.map((store, n) =>
          store
            .collection<{ _id: string; code: string }>({ ...definition, indexes: [...definition.indexes] })
            .insertOne({ _id: String(n), code: "one" }),
        ),
      );
      expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBe(1);
      await Promise.all(stores.map((store) => store.close()));
    });

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

    describe("that goes away in the middle of a write", () => {
      const things = { name: "things" };
      const insert = { collection: things, insertOne: { _id: "a" } } as const;
      const both = [insert, { collection: { name: "others" }, insertOne: { _id: "b" } }];
      const writes: [what: string, command: string, write: (store: DocumentStore) => Promise<unknown>][] = [
        ["a transaction", "commitTransaction", (store) => store.atomically(both)],
        ["one write", "insert", (store) => store.collection(things).insertOne({ _id: "a" })],
        [
          "a bulk",
          "bulkWrite",
          (store) => store.collection(things).bulkWrite([{ insertOne: { _id: "a" } }, { insertOne: { _id: "b" } }]),
        ],
      ];
      interface Behind {
        proxy: TcpProxy;
        store: DocumentStore;
      }
      let opened: Behind[] = [];
      const openBehindProxy = async (options = ""): Promise<Behind> => {
        const proxy = await startTcpProxy(mongoTestUrl("away"));
        const behind = { proxy, store: await openDocumentStore({ mongoUrl: proxy.url + options, dataDir: "" }) };
        opened.push(behind);
        // Its collections are there.
        await behind.store.atomically(both);
        for (const name of ["things", "others"]) await behind.store.collection({ name }).deleteMany({});
        return behind;
      };
      const eventualCount = (store: DocumentStore): Promise<unknown> =>
        eventually(() =>
          store
            .collection(things)
            .count({ _id: "a" })
            .catch(() => false),
        );
      afterEach(async () => {
        for (const { proxy, store } of opened) {
          await proxy.restore();
          await store.close();
          await proxy.close();
        }
        opened = [];
      });
      /** All kinds at once, each on a server of its own: most of the time is spent on waiting for it. */
      const ofEveryKind = (
        title: string,
        expected: (behind: Behind, command: string, write: (typeof writes)[number][2]) => Promise<unknown>,
      ): void =>
        test(`${title}: a transaction, one write, a bulk`, async () => {
          const outcomes = await Promise.all(
            writes.map(async ([what, command, write]) => [
              what,
              await openBehindProxy().then((behind) => expected(behind, command, write)),
            ]),
          );
          expect(outcomes).toEqual(writes.map(([what]) => [what, "as expected"]));
        }, 60_000);

      ofEveryKind("and comes back, has made it once", async ({ proxy, store }, command, write) => {
        proxy.loseAnswersTo(command, 1, { anywhere: true });
        await write(store);
        return (await store.collection(things).count({ _id: "a" })) === 1 && "as expected";
      });

      ofEveryKind("and stays away, does not say that nothing was written", async ({ proxy, store }, command, write) => {
        proxy.loseAnswersTo(command, 1, { anywhere: true, andThenAll: true });
        const code = await codeOf(write(store));
        await proxy.restore();
        return code === "OUTCOME_UNKNOWN" && (await eventualCount(store)) === 1 ? "as expected" : code;
      });

      ofEveryKind("but before it was asked, says that nothing was", async ({ proxy, store }, _command, write) => {
        await proxy.cut();
        // The driver has seen that its connections are gone: what it sends on one that was there a moment ago may have
        // arrived.
        const codes = [await codeOf(store.ping()), await codeOf(write(store))];
        return codes.every((code) => code === "UNAVAILABLE") ? "as expected" : codes;
      });

      test("and stays away after some of a bulk is written, does not say that nothing was", async () => {
        const { proxy, store } = await openBehindProxy();
        const asCalled = Collection.prototype.insertOne;
        // The item that fails is run again on its own, behind those that are written.
        const again = jest.spyOn(Collection.prototype, "insertOne").mockImplementation(async function (
          this: Collection,
          ...given: Parameters<typeof asCalled>
        ) {
          again.mockRestore();
          await proxy.cut();
          await expect(store.ping()).rejects.toMatchObject({ code: "UNAVAILABLE" });
          return asCalled.apply(this, given);
        } as typeof asCalled);
        const bulk = ["a", "a", "b"].map((_id) => ({ insertOne: { _id } }));
        await expect(store.collection(things).bulkWrite(bulk)).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
        await proxy.restore();
        expect(await eventualCount(store)).toBe(1);
        expect(await store.collection(things).count({})).toBe(1);
      }, 60_000);

      test("and hangs, holds up the one whom it was asked for, and nobody who waits for a connection", async () => {
        const { proxy, store } = await openBehindProxy("&maxPoolSize=1");
        const find = () => store.collection(things).findOne({ _id: "a" });
        await find();
        proxy.freeze();
        const asked = find().then(
          () => "answered",
          () => "failed",
        );
        const startedAt = performance.now();
        await expect(find()).rejects.toMatchObject({ code: "UNAVAILABLE" });
        expect(performance.now() - startedAt).toBeLessThan(15_000);
        expect(await Promise.race([asked, Promise.resolve("under way")])).toBe("under way");
        await proxy.restore();
      }, 60_000);

      test("and hangs, refuses within seconds what comes later, and says that nothing was written", async () => {
        const { proxy, store } = await openBehindProxy();
        await store.ping();
        proxy.freeze();
        await delay(1_100);
        const startedAt = performance.now();
        expect(await codeOf(store.collection(things).insertOne({ _id: "a" }))).toBe("UNAVAILABLE");
        expect(await codeOf(store.collection(things).findOne({ _id: "a" }))).toBe("UNAVAILABLE");
        expect(performance.now() - startedAt).toBeLessThan(8_000);
        await proxy.restore();
      }, 60_000);
    });

    test("a durable read is of what a majority has, any other of the newest", async () => {
      const store = await openDocumentStore({ mongoUrl: url, dataDir: "" });
      const things = store.collection({ name: "things" });
      const asked = jest.spyOn(Collection.prototype, "find");
      try {
        await things.find({}, { durable: true });
        await things.find({});
        expect(asked.mock.calls.map(([, options]) => options?.readConcern)).toEqual(["majority", undefined]);
      } finally {
        asked.mockRestore();
        await store.close();
      }
    });

    test("a closed store answers UNAVAILABLE", async () => {
      const store = await openDocumentStore({ mongoUrl: url, dataDir: "" });
      await store.close();
      await expect(store.ping()).rejects.toMatchObject({ code: "UNAVAILABLE" });
      await expect(store.collection({ name: "things" }).findOne({ _id: "a" })).rejects.toMatchObject({
        code: "UNAVAILABLE",
      });
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
    const failure = await openDocumentStore({ mongoUrl: "mongodb://user:secret@127.0.0.1:9/shop", dataDir: "" }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: "UNAVAILABLE" });
    expect(String(failure)).not.toContain("secret");
    expect(Date.now() - started).toBeLessThan(10_000);
  });
});
