import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { mkdtemp, rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEventLog } from "../src/event-log/open.ts";
import { openSqliteLog } from "../src/event-log/sqlite/log.ts";
import { eventLogContract } from "./event-log.contract.ts";
import { expectWhole, newEvent, startWriter } from "./event-log.support.ts";

let contractDirectory: string;

eventLogContract(
  "SQLite",
  async () => {
    contractDirectory = await mkdtemp(join(tmpdir(), "event-log-"));
    return openEventLog({ dataDir: contractDirectory });
  },
  { runs: 150, close: () => rm(contractDirectory, { recursive: true }) },
);

describe("embedded event log", () => {
  const unavailable = { code: "UNAVAILABLE" };
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "event-log-"));
  });
  afterEach(() => rm(directory, { recursive: true }));

  test("a process that is killed at any moment loses nothing that it acknowledged, and keeps a second one out until then", async () => {
    const acknowledged: string[] = [];
    for (let run = 0; run < 3; run++) {
      const writer = await startWriter(undefined, directory);
      await expect(openSqliteLog({ directory })).rejects.toMatchObject({
        ...unavailable,
        message: expect.stringContaining("another process"),
      });
      await writer.kill();
      acknowledged.push(...writer.acknowledged);
      const log = await openSqliteLog({ directory });
      const ids = new Set((await expectWhole(log)).map(({ event_id }) => event_id));
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
      await log.close();
    }
  }, 60_000);

  test("a file that another process holds locked: appends are refused after the wait, reads go on, then all is well", async () => {
    const log = await openSqliteLog({ directory, busyTimeoutMs: 150 });
    await log.appendToStream(newEvent("a"));
    const intruder = new DatabaseSync(join(directory, "events.db"));
    intruder.exec("BEGIN IMMEDIATE");
    await expect(log.appendToStream(newEvent("a"))).rejects.toMatchObject(unavailable);
    await expect(log.ping()).rejects.toMatchObject(unavailable);
    expect(await log.head()).toBe(1);
    intruder.close();
    expect(await log.appendToStream(newEvent("a"))).toMatchObject({ version: 2, position: 2 });
    await log.close();
  });

  test("a closed log answers UNAVAILABLE, and what was under way is recorded", async () => {
    const log = await openSqliteLog({ directory });
    const underWay = log.appendToStream(newEvent("a"));
    await log.close();
    await underWay;
    for (const call of [
      () => log.appendToStream(newEvent("a")),
      () => log.head(),
      () => log.stats({}),
      () => log.readAll({}, { after: 0, limit: 1 }),
      () => log.ping(),
    ]) {
      await expect(call()).rejects.toMatchObject(unavailable);
    }
    const again = await openSqliteLog({ directory });
    expect(await expectWhole(again)).toHaveLength(1);
    await again.close();
  });

  test("appending leaves the event loop free", async () => {
    const log = await openSqliteLog({ directory });
    await log.appendToStream(newEvent("a"));
    const intruder = new DatabaseSync(join(directory, "events.db"));
    intruder.exec("BEGIN IMMEDIATE");
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 5);
    const waiting = log.appendToStream(newEvent("a"));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(turns).toBeGreaterThan(10);
    intruder.exec("ROLLBACK");
    intruder.close();
    await waiting;
    clearInterval(timer);
    await log.close();
  });
});
