import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import type { AtomicWrite } from "../../packages/durable/src/document-store/port.ts";
import type { Events } from "../../services/contracts.ts";
import { createAnnouncer, type Announcer } from "../../services/dis-router/announcer.ts";
import type { InquiredPart } from "../../services/dis-router/inquiries.ts";

const GATHERED_MS = 50;

type Told = Events["dealer.answered"]["parts"];
/** What each event announces. */
let told: Told[];
let isDown: boolean;
let announcer: Announcer;

const part = (partNumber: string, more: Partial<InquiredPart> = {}): InquiredPart => ({
  vendor: "koh",
  partNumber,
  found: true,
  price: 640,
  available: true,
  quantity: 3,
  live: true,
  saidAt: new Date(0),
  ageSeconds: 0,
  error: null,
  ...more,
});
const numbers = (): string[][] => told.map((parts) => parts.map(({ partNumber }) => partNumber));

beforeEach(() => {
  jest.useFakeTimers();
  [told, isDown] = [[], false];
  announcer = createAnnouncer({
    documents: {
      atomically: async ([write]: AtomicWrite[]) => {
        if (isDown) throw new Error("down");
        const { updateOne } = write as Extract<AtomicWrite, { updateOne: unknown }>;
        const { payload } = updateOne.update.$setOnInsert as unknown as { payload: { parts: Told } };
        told.push(payload.parts);
      },
    },
    channels: { wake: () => undefined },
    logger: { warn: () => undefined },
  });
});
afterEach(() => void jest.useRealTimers());

test("the dealer's answers are announced together, without what nobody knows now", async () => {
  announcer.note([part("1")]);
  await jest.advanceTimersByTimeAsync(20);
  announcer.note([part("2", { found: false, price: null }), part("3", { error: "timed_out", live: false })]);
  await jest.advanceTimersByTimeAsync(GATHERED_MS);
  const both = { vendor: "KOH", quantity: 3, available: true, saidAt: "1970-01-01T00:00:00.000Z" };
  expect(told).toEqual([
    [
      { ...both, partNumber: "1", found: true, price: 640 },
      { ...both, partNumber: "2", found: false, price: null },
    ],
  ]);
});

test("of a part is announced once a minute, or when the dealer says something else", async () => {
  for (let second = 0; second < 59; second += 1) {
    announcer.note([part("1")]);
    await jest.advanceTimersByTimeAsync(1_000);
  }
  expect(numbers()).toEqual([["1"]]);
  announcer.note([part("1", { price: 650 })]);
  await jest.advanceTimersByTimeAsync(GATHERED_MS);
  expect(told[1]).toMatchObject([{ price: 650 }]);
  await jest.advanceTimersByTimeAsync(61_000);
  announcer.note([part("1", { price: 650 })]);
  await jest.advanceTimersByTimeAsync(GATHERED_MS);
  expect(told).toHaveLength(3);
});

test("a flood makes an event of 400 parts a second, and what does not fit is announced when it is asked about again", async () => {
  const flood = Array.from({ length: 6_000 }, (_, n) => part(`${n}`));
  announcer.note(flood);
  for (const each of flood) announcer.note([each]);
  await jest.advanceTimersByTimeAsync(9_500);
  expect(told.map((parts) => parts.length)).toEqual(Array<number>(10).fill(400));
  await jest.advanceTimersByTimeAsync(40_000);
  expect(new Set(numbers().flat()).size).toBe(numbers().flat().length);
  expect(told.length).toBeLessThanOrEqual(15);
  announcer.note([part("5999")]);
  await jest.advanceTimersByTimeAsync(GATHERED_MS);
  expect(numbers().at(-1)).toEqual(["5999"]);
});

test("what the store did not take is announced by the next question, and what waits at the end is written", async () => {
  isDown = true;
  announcer.note([part("1")]);
  await jest.advanceTimersByTimeAsync(2_000);
  isDown = false;
  announcer.note([part("1")]);
  announcer.note([part("2")]);
  await announcer.stop();
  expect(numbers()).toEqual([["1", "2"]]);
});
