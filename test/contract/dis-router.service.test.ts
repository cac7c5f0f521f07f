import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { fakeClock } from "../support/fake-clock.ts";
import { call } from "../../services/contracts.ts";
import { catalogParts, DEALER, startTestDealer, type TestDealer } from "../support/dealer-sandbox.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

const KOHLER = catalogParts("KOH")
  .filter(({ status, listPrice }) => status === "active" && listPrice !== "")
  .map(({ vendor, partNumber }) => ({ vendor, partNumber }));
type Part = (typeof KOHLER)[number];
const briggs = (family: RegExp) => catalogParts("BNS").find(({ partNumber }) => family.test(partNumber))!.partNumber;

describe("The dealer inventory router", () => {
  let dealer: TestDealer;
  let test: TestBroker;
  let unused: Part[];
  let askedBefore: number;
  beforeAll(async () => {
    unused = [...KOHLER];
    dealer = await startTestDealer();
    const settings = testSettings({ DIS_URL: dealer.url, DIS_API_KEY: DEALER.apiKey, DIS_DEALER_ID: DEALER.dealerId });
    test = await startTestBroker({ services: ["dis-router"], transport: "fake", settings });
  });
  afterAll(() => Promise.all([test.stop(), dealer.close()]));
  beforeEach(async () => void (askedBefore = (await dealer.inquiries()).length));
  afterEach(async () => {
    jest.useRealTimers();
    await dealer.allWell();
  });

  /** Parts that nobody has asked about yet. */
  const take = <N extends number>(count: N) =>
    unused.splice(0, count) as N extends 1
      ? [Part]
      : N extends 2
        ? [Part, Part]
        : N extends 3
          ? [Part, Part, Part]
          : Part[];
  /** What the supplier was asked since the test began, the latest first. */
  const inquiries = async () => {
    const all = await dealer.inquiries();
    return all.slice(0, all.length - askedBefore);
  };

  const inquire = async (
    parts: { vendor: string; partNumber: string }[],
    limits: { maxAgeSeconds?: number; deadlineMs?: number } = {},
  ) =>
    (await call(test.broker, "dis-router.inquire", { parts, ...limits })).parts.map(({ saidAt, ...answer }) => {
      expect(saidAt && Math.floor((Date.now() - saidAt.getTime()) / 1_000)).toBe(answer.ageSeconds);
      return answer;
    });
  const pass = (seconds: number) => jest.advanceTimersByTime(seconds * 1_000);

  const live = {
    found: true,
    price: expect.any(Number),
    available: expect.any(Boolean),
    quantity: expect.any(Number),
    live: true,
    ageSeconds: 0,
    error: null,
  };
  const unknown = { found: null, price: null, available: null, quantity: null, live: false, ageSeconds: null };

  it("asks about each part under its code, and answers in the order asked", async () => {
    const parts = [
      { vendor: "bns", partNumber: briggs(/^\d{2}\.\d{4}$/) },
      { vendor: "LAN", partNumber: "800-123C" },
      { vendor: "BNS", partNumber: briggs(/^BER/) },
      { vendor: "KMT", partNumber: "062-035L" },
      { vendor: "BNS", partNumber: briggs(/^(790|614|713)\d{3}$/) },
      { vendor: "FER", partNumber: "1" },
      { vendor: "BNS", partNumber: briggs(/^59/) },
      { vendor: "HON", partNumber: "no such part" },
      ...take(1),
    ];
    const answers = await inquire(parts);
    expect(answers.map(({ vendor, partNumber }) => ({ vendor, partNumber }))).toEqual(parts);
    for (const index of [0, 2, 4, 6, 8]) expect(answers[index]).toMatchObject(live);
    for (const index of [1, 3]) expect(answers[index]).toEqual({ ...parts[index], ...unknown, error: "not_asked" });
    expect(answers[5]).toEqual({ ...parts[5], ...unknown, error: "retired_vendor" });
    expect(answers[7]).toEqual({ ...parts[7], ...unknown, found: false, live: true, ageSeconds: 0, error: null });
    expect(await inquiries()).toMatchObject([{ status: 200, asked: 6, answered: 5 }]);
  });

  it("remembers an answer for as long as the caller takes it, and says how old it is", async () => {
    fakeClock();
    const [first] = take(1);
    const [fresh] = await inquire([first]);
    pass(30);
    expect(await inquire([first])).toEqual([{ ...fresh, live: false, ageSeconds: 30 }]);
    expect(await inquire([first], { maxAgeSeconds: 30 })).toEqual([fresh]);
    pass(59);
    expect(await inquire([first])).toEqual([{ ...fresh, live: false, ageSeconds: 59 }]);
    expect(await inquire([first], { maxAgeSeconds: 0 })).toEqual([fresh]);
    pass(60);
    expect(await inquire([first])).toEqual([fresh]);
    expect(await inquiries()).toHaveLength(4);
  });

  it("gives the last known values of a supplier that is away, and says so, for an hour", async () => {
    fakeClock();
    const [first, second] = take(2);
    const [fresh] = await inquire([first]);
    await dealer.fault("key_refused");
    pass(3_600);
    expect(await inquire([first, second])).toEqual([
      { ...fresh, live: false, ageSeconds: 3_600, error: "refused" },
      { ...second, ...unknown, error: "refused" },
    ]);
    pass(1);
    expect(await inquire([first])).toEqual([{ ...first, ...unknown, error: "refused" }]);
    await dealer.allWell();
    expect(await inquire([first])).toEqual([fresh]);
  });

  it.each([
    ["rate_limited", 0, "busy", 3],
    ["key_refused", undefined, "refused", 1],
    ["not_json", undefined, "unreadable", 1],
    ["error", 503, "unavailable", 3],
  ] as const)("says per part what %s (%s) means: %s", async (kind, value, error, requests) => {
    const [first] = take(1);
    await dealer.fault(kind, value);
    expect(await inquire([first, { vendor: "LAN", partNumber: "1" }])).toEqual([
      { ...first, ...unknown, error },
      { vendor: "LAN", partNumber: "1", ...unknown, error: "not_asked" },
    ]);
    expect(await inquiries()).toHaveLength(requests);
  });

  it("outlasts a fault that passes", async () => {
    const [first] = take(1);
    await dealer.fault("error", 500, 1);
    await dealer.fault("rate_limited", 0, 1);
    expect(await inquire([first])).toEqual([{ ...first, ...live }]);
  });

  it("says in time that there was no answer in time, and keeps the answer that comes later", async () => {
    const [first] = take(1);
    await dealer.fault("slow", 150, 1);
    expect(await inquire([first], { deadlineMs: 20 })).toEqual([{ ...first, ...unknown, error: "timed_out" }]);
    expect(await inquire([first])).toMatchObject([{ found: true, error: null }]);
    expect(await inquiries()).toHaveLength(1);
  });

  it("leaves a supplier alone that is away, and comes back to it", async () => {
    fakeClock();
    const [first] = take(1);
    await inquire(take(1));
    await dealer.fault("error");
    await inquire([first]);
    await inquire([first]);
    expect(await inquire([first])).toEqual([{ ...first, ...unknown, error: "circuit_open" }]);
    expect(await inquiries()).toHaveLength(6);
    await dealer.allWell();
    pass(5);
    expect(await inquire([first])).toEqual([{ ...first, ...live }]);
  });

  it("takes 1 to 1,000 parts", async () => {
    const [first] = take(1);
    await expect(inquire([])).rejects.toMatchObject({ type: "VALIDATION_ERROR" });
    await expect(inquire(Array.from({ length: 1_001 }, () => first))).rejects.toMatchObject({
      type: "VALIDATION_ERROR",
    });
    await expect(inquire([{ vendor: "HON", partNumber: "  " }])).rejects.toMatchObject({ type: "VALIDATION_ERROR" });
    expect(await inquire(Array.from({ length: 1_000 }, () => first))).toHaveLength(1_000);
  });

  it("reports how the supplier answered last, and asks nothing for that", async () => {
    const health = async () => (await call(test.broker, "dis-router.health", {})).dis;
    const [first, second] = take(2);
    await inquire([first]);
    expect(await health()).toEqual({ status: "ok", error: null, askedAt: expect.any(Date) });
    await dealer.fault("key_refused");
    await inquire([second]);
    expect(await health()).toMatchObject({ status: "error", error: "refused" });
    await dealer.allWell();
    await inquire([second]);
    expect(await health()).toMatchObject({ status: "ok", error: null });
    expect(await inquiries()).toHaveLength(3);
  });
});

it("A dealer inventory router says that a supplier that is not there is away, and starts all the same", async () => {
  const dealer = await startTestDealer();
  await dealer.close();
  const test = await startTestBroker({
    services: ["dis-router"],
    settings: testSettings({ DIS_URL: dealer.url, DIS_API_KEY: "k", DIS_DEALER_ID: "d" }),
  });
  try {
    expect((await call(test.broker, "dis-router.health", {})).dis).toEqual({
      status: "unknown",
      error: null,
      askedAt: null,
    });
    expect((await call(test.broker, "dis-router.inquire", { parts: [KOHLER[0]!] })).parts).toMatchObject([
      { found: null, live: false, error: "unavailable" },
    ]);
  } finally {
    await test.stop();
  }
});
