import type { NewEvent } from "../../../../durable/src/event-log/port.ts";

/** Types with their aggregates, and how many of a hundred events are of each. */
const MIX = [
  ["SEARCH_PERFORMED", "search", 55],
  ["ORDER_UPDATED", "order", 15],
  ["CART_SAVED", "cart", 12],
  ["ORDER_CREATED", "order", 8],
  ["DOCUMENT_CREATED", "document", 5],
  ["ORDER_CANCELLED", "order", 2],
  ["ORDER_REFUNDED", "order", 2],
  ["CATALOG_SYNCED", "vendor", 1],
] as const;

export const LAST_MOMENT = Date.parse("2026-11-21T00:00:00Z");
const DAYS = 30;
export const FIRST_MOMENT = LAST_MOMENT - DAYS * 86_400_000;

/** Numbers from 0 to 1 that are the same in every run. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}

/** Makes the data of an event of an order's new status. */
export const createChange = (version: number) => ({
  version,
  actor: "system",
  from: { status: "pending" },
  to: { status: "processing" },
  text: "x".repeat(130),
});

/**
 * Events of thirty days, in the order in which they happened except one in a hundred, which is recorded up to an hour
 * late. About 230 bytes of data each.
 */
export function* generateEvents(count: number): Iterable<NewEvent> {
  const random = createRandom(7);
  for (let n = 0; n < count; n++) {
    const [event_type, aggregate_type] = pickType(random() * 100);
    const late = random() < 0.01 ? random() * 3_600_000 : 0;
    // Aggregates by a power law: a few have thousands of events, most a handful.
    const aggregate = event_type === "SEARCH_PERFORMED" ? n : Math.floor(random() ** 3 * (count / 10));
    yield {
      event_id: `bench-${n}`,
      aggregate_id: `${aggregate_type}_${aggregate}`,
      aggregate_type,
      event_type,
      timestamp: new Date(FIRST_MOMENT + Math.floor((n / count) * (LAST_MOMENT - FIRST_MOMENT)) - late),
      data: {
        ...createChange(n),
        amount: Math.floor(random() * 1e5),
      },
    };
  }
}

/** The aggregate that states are asked of, each version a second after the one before. */
export function* generateStream(aggregate_id: string, versions: number): Iterable<NewEvent> {
  for (let n = 0; n < versions; n++) {
    yield {
      event_id: `${aggregate_id}-${n}`,
      aggregate_id,
      aggregate_type: "thing",
      event_type: "THING_CHANGED",
      timestamp: new Date(FIRST_MOMENT + n * 1_000),
      data: { [`field${n % 20}`]: n, text: "x".repeat(200) },
    };
  }
}

export const AGGREGATE_TYPES = [...new Set(MIX.map(([, type]) => type))];
export const EVENT_TYPES = MIX.map(([type]) => type);

function pickType(share: number): readonly [event: string, aggregate: string] {
  let passed = 0;
  for (const [event, aggregate, weight] of MIX) {
    passed += weight;
    if (share < passed) return [event, aggregate];
  }
  return ["SEARCH_PERFORMED", "search"];
}
