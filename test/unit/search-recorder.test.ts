import { afterEach, beforeEach, expect, it, jest } from "@jest/globals";
import type { AtomicWrite } from "../../packages/durable/src/document-store/port.ts";
import { withScope } from "../../packages/toolkit/src/tracing.ts";
import { createSearchRecorder } from "../../services/search/search-recorder.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Lets the recorder do what it waits with. */
const later = () => jest.advanceTimersByTimeAsync(3_000);

type Written = { id: string; queries: string[]; bytes: number; origin?: unknown };

/** A store that can be away, or lose its answer after it has written. */
function start() {
  const written: Written[] = [];
  const logged: string[] = [];
  const state = { isAway: false, losesAnswers: false, tries: 0 };
  const atomically = async ([write]: AtomicWrite[]) => {
    state.tries += 1;
    if (state.isAway) throw new Error("The store is away");
    const { filter, update } = (write as Extract<AtomicWrite, { updateOne: unknown }>).updateOne;
    const id = filter._id as string;
    const {
      payload: { searches },
      origin,
    } = update.$setOnInsert as { payload: { searches: { query: string }[] }; origin?: unknown };
    if (!written.some((batch) => batch.id === id))
      written.push({
        id,
        queries: searches.map(({ query }) => query),
        bytes: Buffer.byteLength(JSON.stringify(searches)),
        origin,
      });
    if (state.losesAnswers) throw new Error("No answer");
  };
  const recorder = createSearchRecorder({
    documents: { atomically },
    channels: { wake: () => undefined },
    logger: { info: (message) => void logged.push(message), warn: (message) => void logged.push(message) },
  });
  const record = (count: number, from = 0, category: string[] = []): void => {
    for (let n = from; n < from + count; n++) {
      recorder.record({
        query: String(n),
        results_count: 0,
        filters: { category },
        took_ms: 1,
        searched_at: "2026-11-21T00:00:00.000Z",
      });
    }
  };
  return { recorder, record, state, logged, written, queries: () => written.flatMap(({ queries }) => queries) };
}

it("writes what comes together in one event, and much of it in several", async () => {
  const { recorder, record, written, queries } = start();
  record(450);
  await later();
  expect(written.map((batch) => batch.queries.length)).toEqual([200, 200, 50]);
  expect(queries()).toEqual(Array.from({ length: 450 }, (_, n) => String(n)));
  record(1, 450);
  await recorder.stop();
  expect(recorder.getCounts()).toEqual({ recorded: 451, lost: 0 });
});

it("lets an event of many searches be of none of their requests", async () => {
  const { recorder, record, written } = start();
  withScope({ requestId: "req-1" }, () => record(1));
  withScope({ requestId: "req-2" }, () => record(1, 1));
  await later();
  expect(written[0]).toMatchObject({ queries: ["0", "1"], origin: undefined });
  await recorder.stop();
});

it("keeps an event far below what a message of NATS may hold, for any search", async () => {
  const { recorder, record, written, queries } = start();
  // Escaped, each of these takes six bytes.
  record(
    300,
    0,
    Array.from({ length: 10 }, () => "\u0001".repeat(200)),
  );
  await recorder.stop();
  expect(queries()).toHaveLength(300);
  expect(Math.max(...written.map(({ bytes }) => bytes))).toBeLessThan(256 * 1024);
});

it("lets searches go while the store is away, counts what is lost, says it once, and writes what waited once it is back", async () => {
  const { recorder, record, state, logged, queries } = start();
  state.isAway = true;
  record(200);
  await later();
  record(6_000, 200);
  expect(recorder.getCounts()).toEqual({ recorded: 0, lost: 1_000 });
  await later();
  expect(state.tries).toBeGreaterThan(1);
  state.isAway = false;
  await later();
  expect(queries()).toHaveLength(5_200);
  expect(logged).toEqual([
    "Searches cannot be recorded: up to 5000 wait, more are lost",
    "Searches are recorded again; 1000 were lost since the start",
  ]);
  expect(recorder.getCounts()).toEqual({ recorded: 5_200, lost: 1_000 });
  await recorder.stop();
});

it("writes a batch once whose answer was lost, and counts what it cannot write at the end", async () => {
  const { recorder, record, state, queries } = start();
  state.losesAnswers = true;
  record(3);
  await jest.advanceTimersByTimeAsync(1_000);
  state.losesAnswers = false;
  await later();
  expect(queries()).toEqual(["0", "1", "2"]);
  state.isAway = true;
  record(4, 3);
  await recorder.stop();
  expect(recorder.getCounts()).toEqual({ recorded: 3, lost: 4 });
});
