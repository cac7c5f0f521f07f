import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { ulid } from "ulid";
import type { EventFilter, EventLog, StoredEvent } from "../src/event-log/port.ts";
import { expectWhole, follow, newEvent, readStreamToEnd } from "./event-log.support.ts";
import { ANY_CHARACTER } from "../../../test/support/any-character.ts";

interface Options {
  /** Of each property. */
  runs: number;
  close?: () => Promise<void>;
}

/** What every adapter of the event log must do; `open` opens a log that is empty. */
export function eventLogContract(name: string, open: () => Promise<EventLog>, { runs, close }: Options): void {
  describe(`event log: ${name}`, () => {
    let log: EventLog;
    beforeAll(async () => {
      log = await open();
    });
    afterAll(async () => {
      await log.close();
      await close?.();
    });

    test("gives back any JSON as it was, and times to the millisecond", async () => {
      const json = fc.dictionary(
        fc.string().filter((key) => key !== "__proto__" && !key.includes("\0")),
        fc.jsonValue({ stringUnit: ANY_CHARACTER, maxDepth: 3 }).map(withoutNulls),
        { maxKeys: 4 },
      );
      const moment = fc.date({
        min: new Date("0001-01-01T00:00:00Z"),
        max: new Date("9999-12-31T23:59:59.999Z"),
        noInvalidDate: true,
      });
      await fc.assert(
        fc.asyncProperty(json, json, moment, async (data, metadata, timestamp) => {
          const event = newEvent(ulid(), { data, metadata, timestamp, event_type: "TÜP 'x' \"y\"" });
          const { position, version } = await log.appendToStream(event);
          const [stored] = await log.readStream(event.aggregate_id, { after_version: 0, limit: 10 });
          expect(JSON.parse(JSON.stringify(stored))).toEqual(
            JSON.parse(JSON.stringify({ ...event, position, version })),
          );
        }),
        { numRuns: runs },
      );
    });

    test("what comes at once from many gets positions and versions without gaps, and a reader behind them misses nothing", async () => {
      const before = await log.head();
      const streams = [ulid(), ulid(), ulid()];
      let over = false;
      const reading = follow(log, () => over);
      const writers = Array.from({ length: 20 }, async (_, writer) => {
        const answers = [];
        for (let n = 0; n < 6; n++) answers.push(await log.appendToStream(newEvent(streams[(writer + n) % 3]!)));
        return answers;
      });
      const answers = (await Promise.all(writers)).flat();
      over = true;
      const seen = await reading;
      expect(answers.map(({ position }) => position).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 120 }, (_, n) => before + n + 1),
      );
      expect(seen).toEqual(await expectWhole(log));
      for (const stream of streams)
        expect((await log.readStream(stream, { after_version: 0, limit: 100 })).map(({ version }) => version)).toEqual(
          Array.from({ length: 40 }, (_, n) => n + 1),
        );
    });

    test("an event id is recorded once, for any writer and other content", async () => {
      const same = newEvent(ulid(), { expected_version: 0 });
      const answers = await Promise.all(Array.from({ length: 10 }, () => log.appendToStream(same)));
      expect(answers.filter(({ recorded }) => recorded)).toHaveLength(1);
      const { recorded, ...first } = answers.find((answer) => answer.recorded)!;
      for (const answer of answers) expect(answer).toMatchObject(first);
      const other = newEvent(ulid(), {
        event_id: same.event_id,
        expected_version: 99,
        timestamp: new Date(0),
        aggregate_type: "other",
      });
      expect(await log.appendToStream(other)).toEqual({ ...first, recorded: false });
      expect(await log.readStream(other.aggregate_id, { after_version: 0, limit: 1 })).toEqual([]);
      expect(recorded).toBe(true);
    });

    test("of many that expect the same version one is recorded, and the others learn which there is", async () => {
      const id = ulid();
      for (const expected_version of [0, 1, 2]) {
        const outcomes = await Promise.allSettled(
          Array.from({ length: 8 }, () => log.appendToStream(newEvent(id, { expected_version }))),
        );
        const refused = outcomes.filter((outcome) => outcome.status === "rejected");
        expect(refused).toHaveLength(7);
        for (const { reason } of refused)
          expect(reason).toMatchObject({ code: "VERSION_CONFLICT", actualVersion: expected_version + 1 });
      }
      await expect(log.appendToStream(newEvent(ulid(), { expected_version: 1 }))).rejects.toMatchObject({
        code: "VERSION_CONFLICT",
        actualVersion: 0,
      });
    });

    test("one that is refused leaves its neighbours as they are", async () => {
      const [id, other] = [ulid(), ulid()];
      await log.appendToStream(newEvent(id));
      const outcomes = await Promise.allSettled([
        log.appendToStream(newEvent(other)),
        log.appendToStream(newEvent(id, { aggregate_type: "other" })),
        log.appendToStream(newEvent(id, { data: { large: "x".repeat(512 * 1024) } })),
        log.appendToStream(newEvent(id, { expected_version: 7 })),
        log.appendToStream(newEvent(id, { data: { large: "x".repeat(512 * 1024 - 100) } })),
        log.appendToStream(newEvent(other)),
      ]);
      expect(outcomes).toMatchObject([
        { value: { version: 1 } },
        { reason: { code: "OTHER_TYPE" } },
        { reason: { code: "TOO_LARGE" } },
        { reason: { code: "VERSION_CONFLICT" } },
        { value: { version: 2 } },
        { value: { version: 2 } },
      ]);
      await expectWhole(log);
    });

    test("lists and counts what a filter lets through, also of what is recorded late", async () => {
      const run = ulid();
      const base = Date.parse("2026-03-10T23:58:00Z");
      const [ids, types, kinds] = [
        ["a", "b", "c"],
        ["T", "U"],
        ["K", "L"],
      ].map((list) => list.map((each) => `${each}_${run}`)) as [string[], string[], string[]];
      const expected: StoredEvent[] = [];
      for (let n = 0; n < 60; n++) {
        const id = ids[n % 3]!;
        const event = newEvent(id, {
          aggregate_type: types[(n % 3) % 2],
          event_type: kinds[(n * 7) % 2],
          timestamp: new Date(base + ((n * 7_919) % 240) * 1_000),
          metadata: {},
        });
        const { position, version } = await log.appendToStream(event);
        expected.push({ ...event, metadata: {}, position, version });
      }
      const first = expected[0]!.position;
      const seconds = fc.integer({ min: -10, max: 260 }).map((second) => new Date(base + second * 1_000));
      const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
        fc.option(arbitrary, { nil: undefined });
      const filters = fc.record({
        aggregate_id: optional(fc.constantFrom(...ids)),
        aggregate_type: optional(fc.constantFrom(...types)),
        event_type: optional(fc.constantFrom(...kinds)),
        since: optional(seconds),
        until: optional(seconds),
      });
      await fc.assert(
        fc.asyncProperty(
          filters,
          fc.integer({ min: first - 1, max: first + 60 }),
          fc.integer({ min: 1, max: 70 }),
          async (filter, after, limit) => {
            const found = (await log.readAll(filter, { after, limit: 200 })).filter(({ event_type }) =>
              kinds.includes(event_type),
            );
            const matches = expected.filter((event) => event.position > after && passes(event, filter));
            expect(found).toEqual(matches);
            if (filter.aggregate_id ?? filter.aggregate_type ?? filter.event_type)
              expect(await log.readAll(filter, { after, limit })).toEqual(matches.slice(0, limit));
          },
        ),
        { numRuns: runs },
      );
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...types), optional(seconds), async (aggregate_type, since) => {
          const matches = expected.filter((event) => passes(event, { aggregate_type, since }));
          expect(await log.stats({ aggregate_type, since })).toEqual({
            total_events: matches.length,
            by_event_type: tally(matches, ({ event_type }) => event_type),
            by_aggregate_type: tally(matches, (event) => event.aggregate_type),
            by_day: tally(matches, ({ timestamp }) => timestamp.toISOString().slice(0, 10)),
          });
        }),
        { numRuns: runs },
      );
    });

    test("a stream at a time is the events that had happened by then", async () => {
      const changes = fc.array(
        fc.record({
          key: fc.constantFrom("a", "b", "c"),
          value: fc.integer(),
          second: fc.integer({ min: 0, max: 20 }),
        }),
        { minLength: 1, maxLength: 12 },
      );
      await fc.assert(
        fc.asyncProperty(changes, fc.integer({ min: -1, max: 21 }), async (events, second) => {
          const id = ulid();
          const moment = (at: number): Date => new Date(Date.parse("2026-05-05T05:00:00Z") + at * 1_000);
          // One after another: the order of appends that wait together is theirs to keep, not to make.
          for (const [index, { second: at, ...data }] of events.entries())
            await log.appendToStream(newEvent(id, { data, timestamp: moment(at), expected_version: index }));
          const happened = events.flatMap(({ second: at, ...data }, index) =>
            at <= second ? [{ data, version: index + 1 }] : [],
          );
          const read = async (after?: number) =>
            (await readStreamToEnd(log, id, after, moment(second))).map(({ data, version }) => ({ data, version }));
          expect(await read()).toEqual(happened);
          expect(await read(1)).toEqual(happened.filter(({ version }) => version > 1));
        }),
        { numRuns: Math.ceil(runs / 3) },
      );
      expect(await readStreamToEnd(log, ulid())).toEqual([]);
    });

    test("a page of large events ends early, and who reads on gets all of them", async () => {
      const id = ulid();
      const large = "ü".repeat(60 * 1024);
      for (let n = 0; n < 6; n++) await log.appendToStream(newEvent(id, { data: { n, large } }));
      const page = await log.readAll({ aggregate_id: id }, { after: 0, limit: 100 });
      expect(page.map(({ data }) => data["n"])).toEqual([0, 1, 2, 3]);
      expect(
        (await log.readAll({ aggregate_id: id }, { after: page.at(-1)!.position, limit: 100 })).map(
          ({ data }) => data["n"],
        ),
      ).toEqual([4, 5]);
      expect(await log.readStream(id, { after_version: 4, limit: 100 })).toHaveLength(2);
      expect(await readStreamToEnd(log, id)).toHaveLength(6);
    });

    test("a page fits into a message of a mebibyte, also with large events", async () => {
      const [long, full] = [`"${ulid()}`.padEnd(200, '"'), ulid()];
      await Promise.all(
        Array.from({ length: 400 }, () =>
          log.appendToStream(
            newEvent(long, { data: {}, event_type: '"'.repeat(100), event_id: ulid().padEnd(200, '"') }),
          ),
        ),
      );
      for (let n = 0; n < 2; n++)
        await log.appendToStream(newEvent(full, { data: { large: "x".repeat(512 * 1024 - 20) } }));
      for (const aggregate_id of [long, full]) {
        const page = await log.readAll({ aggregate_id }, { after: 0, limit: 1_000 });
        expect(page.length).toBeGreaterThan(0);
        expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(530 * 1024);
      }
    });

    test("data and metadata may have names that mean something to a store", async () => {
      const id = ulid();
      const named = [
        { a: { _bsontype: "Long" } },
        { $set: { "a.b": 1 }, _id: 7 },
        JSON.parse('{"__proto__":{"x":1}}') as Record<string, unknown>,
      ];
      for (const data of named) await log.appendToStream(newEvent(id, { data, metadata: data }));
      const events = await log.readStream(id, { after_version: 0, limit: 10 });
      expect(events.map(({ data, metadata }) => JSON.stringify([data, metadata]))).toEqual(
        named.map((data) => JSON.stringify([data, data])),
      );
    });

    test("the last event of an aggregate is the one with its highest version", async () => {
      const id = ulid();
      expect(await log.lastOfStream(id)).toBeUndefined();
      for (let n = 0; n < 3; n++) await log.appendToStream(newEvent(id, { data: { n }, timestamp: new Date(-n) }));
      expect(await log.lastOfStream(id)).toEqual((await log.readStream(id, { after_version: 2, limit: 1 }))[0]);
      expect(await log.lastOfStream(id)).toMatchObject({ version: 3, data: { n: 2 } });
    });

    test("a long aggregate is read page by page", async () => {
      const id = ulid();
      await Promise.all(Array.from({ length: 1_100 }, () => log.appendToStream(newEvent(id))));
      const versions = (await readStreamToEnd(log, id)).map(({ version }) => version);
      expect(versions).toEqual(Array.from({ length: 1_100 }, (_, index) => index + 1));
      await log.ping();
    });
  });
}

function passes(event: StoredEvent, { aggregate_id, aggregate_type, event_type, since, until }: EventFilter): boolean {
  return (
    (aggregate_id ?? event.aggregate_id) === event.aggregate_id &&
    (aggregate_type ?? event.aggregate_type) === event.aggregate_type &&
    (event_type ?? event.event_type) === event.event_type &&
    (since === undefined || event.timestamp >= since) &&
    (until === undefined || event.timestamp < until)
  );
}

function tally(events: readonly StoredEvent[], key: (event: StoredEvent) => string): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(events, key)].map(([name, group]) => [name, group.length]));
}

/** The gateway refuses null characters in texts and names. */
function withoutNulls<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll("\\u0000", "")) as T;
}
