import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { EventLog, StoredEvent } from "../../packages/durable/src/event-log/port.ts";
import { Snapshots } from "../../services/eventstore/snapshots.ts";
import { foldAggregate } from "../../services/eventstore/state.ts";
import { processorMs } from "../support/processor-time.ts";

type Stream = Pick<EventLog, "readStream"> & { read: number };

/** An event of the aggregate that is folded. */
const noteOf = (version: number, data: Record<string, unknown>, more: Partial<StoredEvent> = {}): StoredEvent => ({
  ...{ event_id: String(version), position: version, aggregate_id: "a", aggregate_type: "thing", version },
  ...{ event_type: "NOTE", data, metadata: {}, timestamp: new Date(version), ...more },
});

/** A stream whose events are made as they are read, one at a time. */
function streamOf(dataOf: (version: number) => Record<string, unknown> | undefined, aggregate_type = "thing"): Stream {
  const stream: Stream = {
    read: 0,
    readStream: (aggregate_id, { after_version }) => {
      const version = after_version + 1;
      const data = dataOf(version);
      if (!data) return Promise.resolve([]);
      stream.read += 1;
      return Promise.resolve([noteOf(version, data, { aggregate_id, aggregate_type })]);
    },
  };
  return stream;
}

const fields = (count: number, from = 0): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`field-${from + index}`, index]));

describe("the state of an aggregate", () => {
  test.each(["thing", "order", "document"])(
    "is folded at the cost of its events, however large the state of a %s is by then",
    async (type) => {
      const large = fields(30_000);
      const took = async (events: number): Promise<number> => {
        const started = processorMs();
        const found = await foldAggregate(
          streamOf(
            (version) => (version === 1 ? large : version <= events ? { version, to: { n: version } } : undefined),
            type,
          ),
          new Snapshots(),
          "a",
        );
        expect(found?.version).toBe(events);
        return processorMs() - started;
      };
      await took(1);
      // Copied at each event, the state would take a thousand times as long.
      expect(await took(1_000)).toBeLessThan(100 * (await took(1)) + 500);
    },
  );

  test("is refused if no answer would hold it, and given again when it is smaller", async () => {
    const blob = "x".repeat(400_000);
    const events = [{ one: blob }, { two: blob }, { two: "" }];
    const until = (last: number) =>
      foldAggregate(
        streamOf((version) => (version <= last ? events[version - 1] : undefined)),
        new Snapshots(),
        "a b",
      );
    expect((await until(1))?.version).toBe(1);
    await expect(until(2)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      data: [{ field: "aggregate_id", message: expect.stringContaining("GET /events?aggregate_id=a%20b") }],
    });
    expect((await until(3))?.state).toEqual({ one: blob, two: "" });
  });

  test("is not folded to its end where it grows without one", async () => {
    const stream = streamOf((version) => fields(10_000, version * 10_000));
    const snapshots = new Snapshots();
    await expect(foldAggregate(stream, snapshots, "a")).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    const { read } = stream;
    expect(read).toBeLessThan(100);
    await expect(foldAggregate(stream, snapshots, "a")).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    expect(stream.read).toBe(read);
    expect(await foldAggregate(recordedStream([]), snapshots, "a", new Date(0))).toBeUndefined();
  });

  test("is folded no further when nobody waits for it, and leaves others their turn", async () => {
    const stream = streamOf(() => fields(1_000));
    const started = processorMs();
    await expect(foldAggregate(stream, new Snapshots(), "a", undefined, AbortSignal.timeout(50))).rejects.toMatchObject(
      {
        name: "TimeoutError",
      },
    );
    expect(processorMs() - started).toBeLessThan(2_000);
    const read = stream.read;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(stream.read).toBe(read);
  });

  test("is the same from a snapshot as from the beginning, at any moment and with late records", async () => {
    const events = fc.array(
      fc.record({
        key: fc.constantFrom("a", "b", "__proto__"),
        value: fc.integer({ min: -9, max: 9 }),
        second: fc.integer({ min: 0, max: 9 }),
      }),
      { minLength: 1, maxLength: 6 },
    );
    // What happens again and again makes a stream that is long enough for snapshots.
    const streams = fc.tuple(events, fc.integer({ min: 1, max: 350 }), fc.constantFrom("thing", "order", "document"));
    const asked = fc.array(fc.option(fc.integer({ min: -1, max: 400 }), { nil: undefined }), {
      minLength: 2,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(streams, asked, async ([some, length, type], moments) => {
        const recorded = Array.from({ length }, (_, index): StoredEvent => {
          const { key, value, second } = some[index % some.length]!;
          const data = Object.fromEntries([
            [key, value],
            ["version", index],
            ["amount", value],
            ["to", { [key]: value }],
          ]) as Record<string, unknown>;
          return noteOf(index + 1, data, {
            aggregate_type: type,
            event_type: index % 7 === 0 ? "ORDER_CREATED" : "NOTE",
            timestamp: new Date(index + second * 20),
          });
        });
        const log = recordedStream(recorded);
        const snapshots = new Snapshots();
        for (const moment of moments) {
          const at = moment === undefined ? undefined : new Date(moment);
          expect(JSON.stringify(await foldAggregate(log, snapshots, "a", at))).toBe(
            JSON.stringify(await foldAggregate(log, new Snapshots(), "a", at)),
          );
        }
      }),
      { numRuns: 150 },
    );
  });

  test("has its newest snapshot however long it grows", async () => {
    const data = { large: "x".repeat(200_000) };
    const stream = recordedStream(Array.from({ length: 9_050 }, (_, at) => noteOf(at + 1, data)));
    const snapshots = new Snapshots();
    await foldAggregate(stream, snapshots, "a");
    expect(snapshots.findNewest("a")?.version).toBe(9_000);
  });
});

function recordedStream(events: readonly StoredEvent[]): Pick<EventLog, "readStream"> {
  return {
    readStream: (_, { after_version, limit, at }) =>
      Promise.resolve(
        events.filter(({ version, timestamp }) => version > after_version && (!at || timestamp <= at)).slice(0, limit),
      ),
  };
}
