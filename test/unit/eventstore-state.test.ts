import { describe, expect, test } from "@jest/globals";
import type { EventLog, StoredEvent } from "../../mixins/event-log/port.ts";
import { stateOf } from "../../services/eventstore/state.ts";

type Stream = Pick<EventLog, "readStream"> & { read: number };

/** A stream whose events are made as they are read, one at a time. */
function streamOf(dataOf: (version: number) => Record<string, unknown> | undefined, aggregate_type = "thing"): Stream {
  const stream: Stream = {
    read: 0,
    readStream: (aggregate_id, { after_version }) => {
      const version = after_version + 1;
      const data = dataOf(version);
      if (!data) return Promise.resolve([]);
      stream.read += 1;
      const event: StoredEvent = { event_id: String(version), position: version, aggregate_id, aggregate_type, version, event_type: "NOTE", data, metadata: {}, timestamp: new Date() };
      return Promise.resolve([event]);
    },
  };
  return stream;
}

const fields = (count: number, from = 0): Record<string, number> => Object.fromEntries(Array.from({ length: count }, (_, index) => [`field-${from + index}`, index]));

describe("the state of an aggregate", () => {
  test.each(["thing", "order", "document"])("is folded at the cost of its events, however large the state of a %s is by then", async (type) => {
    const large = fields(30_000);
    const took = async (events: number): Promise<number> => {
      const started = performance.now();
      const found = await stateOf(streamOf((version) => (version === 1 ? large : version <= events ? { version, to: { n: version } } : undefined), type), "a");
      expect(found?.version).toBe(events);
      return performance.now() - started;
    };
    await took(1);
    // Copied at each event, the state would take some hundred times as long.
    expect(await took(1_000)).toBeLessThan(20 * (await took(1)) + 500);
  });

  test("is refused where no answer would hold it, and told again when it is smaller", async () => {
    const blob = "x".repeat(400_000);
    const events = [{ one: blob }, { two: blob }, { two: "" }];
    const until = (last: number) => stateOf(streamOf((version) => (version <= last ? events[version - 1] : undefined)), "a b");
    expect((await until(1))?.version).toBe(1);
    await expect(until(2)).rejects.toMatchObject({ code: "VALIDATION_FAILED", data: [{ field: "aggregate_id", message: expect.stringContaining("GET /events?aggregate_id=a%20b") }] });
    expect((await until(3))?.state).toEqual({ one: blob, two: "" });
  });

  test("is not folded to its end where it grows without one", async () => {
    const stream = streamOf((version) => fields(10_000, version * 10_000));
    await expect(stateOf(stream, "a")).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    expect(stream.read).toBeLessThan(100);
  });

  test("is folded no further when nobody waits for it, and leaves others their turn", async () => {
    const stream = streamOf(() => fields(1_000));
    const started = performance.now();
    await expect(stateOf(stream, "a", undefined, AbortSignal.timeout(50))).rejects.toMatchObject({ name: "TimeoutError" });
    expect(performance.now() - started).toBeLessThan(2_000);
    const read = stream.read;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(stream.read).toBe(read);
  });
});
