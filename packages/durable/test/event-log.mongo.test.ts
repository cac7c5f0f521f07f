import { describe, expect, jest, test } from "@jest/globals";
import { Collection } from "mongodb";
import { toEventText } from "../src/event-log/model/events.ts";
import { appendTogether } from "../src/event-log/mongo/appender.ts";
import { getCollections, HEAD } from "../src/event-log/mongo/collections.ts";
import { registerAppender } from "../src/event-log/mongo/other-appenders.ts";
import { openEventLog } from "../src/event-log/open.ts";
import type { EventLog } from "../src/event-log/port.ts";
import { connect } from "../src/mongo/connect.ts";
import { mongoTestUrl } from "../../../test/support/mongo.ts";
import { eventLogContract } from "./event-log.contract.ts";
import { expectWhole, follow, newEvent, startWriter } from "./event-log.support.ts";

if (process.env.MONGO_URL) {
  const url = mongoTestUrl("event_log");
  eventLogContract("MongoDB", () => openEventLog({ mongoUrl: url, dataDir: "" }), { runs: 12 });

  describe("MongoDB event log", () => {
    test("several processes append to the same aggregates at once, one is killed, and a reader misses nothing", async () => {
      const sharedUrl = mongoTestUrl("event_log_shared");
      const logs = await Promise.all([1, 2, 3].map(() => openEventLog({ mongoUrl: sharedUrl, dataDir: "" })));
      const [log, other, third] = logs as [(typeof logs)[0], (typeof logs)[0], (typeof logs)[0]];
      let over = false;
      const reading = follow(third, () => over);
      const writer = await startWriter(sharedUrl, "");
      const mine = await Promise.all(
        [log, other].flatMap((each) =>
          Array.from({ length: 15 }, (_, n) => each.appendToStream(newEvent(`shared-${n % 3}`))),
        ),
      );
      await writer.kill();
      over = true;
      const seen = await reading;
      const events = await expectWhole(log);
      const ids = new Set(events.map(({ event_id }) => event_id));
      expect([...writer.acknowledged, ...mine.map(({ event_id }) => event_id)].filter((id) => !ids.has(id))).toEqual(
        [],
      );
      // What was killed amid its commit may have come after the reader's last look.
      expect(seen).toEqual(events.slice(0, seen.length));
      expect(seen.length).toBeGreaterThanOrEqual(events.length - 4);
      await Promise.all(logs.map((each) => each.close()));
    }, 120_000);

    test("who was killed in the middle of an append keeps nobody from appending for long", async () => {
      const heldUrl = mongoTestUrl("event_log_held");
      const log = await openEventLog({ mongoUrl: heldUrl, dataDir: "" });
      await log.appendToStream(newEvent("a"));
      const dead = await connect(heldUrl);
      const collections = getCollections(dead.db());
      const session = dead.startSession();
      await registerAppender(collections, session);
      session.startTransaction();
      await appendTogether(collections, [toEventText(newEvent("b"))], session);
      const started = performance.now();
      await Promise.all(["a", "b"].map((id) => log.appendToStream(newEvent(id))));
      expect(performance.now() - started).toBeLessThan(8_000);
      expect(await expectWhole(log)).toHaveLength(3);
      await dead.close();
      await log.close();
    }, 90_000);

    test("a process with many events to append lets one with few get in between", async () => {
      const busyUrl = mongoTestUrl("event_log_busy");
      const [busy, quiet] = (await Promise.all([1, 2].map(() => openEventLog({ mongoUrl: busyUrl, dataDir: "" })))) as [
        EventLog,
        EventLog,
      ];
      const client = await connect(busyUrl);
      const { head } = getCollections(client.db());
      const turn = async (): Promise<number> => (await head.findOne({ _id: HEAD }))!.turn;
      let over = false;
      const lanes = Array.from({ length: 8 }, async (_, lane) => {
        for (let n = 0; !over; n++) await busy.appendToStream(newEvent(`busy-${lane}-${n}`));
      });
      const turnsWaited: number[] = [];
      for (let n = 0; n < 8; n++) {
        const before = await turn();
        await quiet.appendToStream(newEvent(`quiet-${n}`));
        turnsWaited.push((await turn()) - before);
      }
      over = true;
      await Promise.all(lanes);
      // Without giving way it waits for a hundred turns of the other, and more.
      expect(Math.max(...turnsWaited)).toBeLessThan(25);
      await Promise.all([busy.close(), quiet.close(), client.close()]);
    }, 60_000);

    test("before it says that somebody knows more than it has, it makes sure", async () => {
      const log = await openEventLog({ mongoUrl: url, dataDir: "" });
      const { position } = await log.appendToStream(newEvent("a"));
      const asked = jest.spyOn(Collection.prototype, "findOne");
      try {
        expect([await log.head(), await log.head(position), await log.head(position + 1)]).toEqual([
          position,
          position,
          position,
        ]);
        expect(asked.mock.calls.map(([, options]) => options?.readConcern)).toEqual([
          "majority",
          "majority",
          "majority",
          "linearizable",
        ]);
      } finally {
        asked.mockRestore();
        await log.close();
      }
    });

    test("a closed log answers UNAVAILABLE", async () => {
      const log = await openEventLog({ mongoUrl: url, dataDir: "" });
      await log.close();
      await expect(log.appendToStream(newEvent("a"))).rejects.toMatchObject({ code: "UNAVAILABLE" });
      await expect(log.head()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    });
  });
} else {
  describe.skip("event log: MongoDB", () => {
    test("needs MONGO_URL", () => undefined);
  });
}

describe("a MongoDB that is not there", () => {
  test("is UNAVAILABLE within seconds, and the error does not quote the URL", async () => {
    const started = Date.now();
    const failure = await openEventLog({ mongoUrl: "mongodb://user:secret@127.0.0.1:9/shop", dataDir: "" }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: "UNAVAILABLE" });
    expect(String(failure)).not.toContain("secret");
    expect(Date.now() - started).toBeLessThan(10_000);
  });
});
