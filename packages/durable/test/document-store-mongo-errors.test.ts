import { describe, expect, test } from "@jest/globals";
import { MongoClientBulkWriteError, MongoNetworkError, MongoServerError, type Db } from "mongodb";
import { toStoreError } from "../src/document-store/mongo/errors.ts";
import { Writer } from "../src/document-store/mongo/writer.ts";

describe("errors of the MongoDB driver", () => {
  test("what the server says to a whole bulk counts as if it stood alone", () => {
    const bulk = new MongoClientBulkWriteError({ message: "the bulk failed" });
    bulk.cause = new MongoServerError({ message: "stepped down", code: 189 });
    expect(toStoreError(bulk, "orders")).toMatchObject({ name: "DocumentStoreError", code: "UNAVAILABLE" });
  });

  test("a bulk whose write concern is not met is unavailable", () => {
    expect(toStoreError(new MongoClientBulkWriteError({ message: "not replicated" }))).toMatchObject({
      code: "UNAVAILABLE",
    });
  });

  test("a server that is gone when it is asked for its version is unavailable, and asked again later", async () => {
    const answers: (() => Promise<object>)[] = [
      () => Promise.reject(new MongoNetworkError("connection closed")),
      () => Promise.resolve({ maxWireVersion: 25 }),
    ];
    const client = { db: () => ({ command: () => answers.shift()!() }) };
    const writer = new Writer({ client } as unknown as Db);
    await expect(writer.takesBulks()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(await writer.takesBulks()).toBe(true);
  });
});
