import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createNames } from "../src/channels/jetstream/names.ts";
import { computeBackoffMs, DEFAULT_RETRIES } from "../src/channels/redelivery.ts";

describe("Names on the NATS server", () => {
  const anyName = fc.oneof(
    fc.string({ minLength: 1, maxLength: 20 }),
    fc.constantFrom("partline", "a.b", "a*", "x >", "orders/eu", "=YS5i"),
  );

  it("are ones that the server takes, for any namespace and group", () => {
    fc.assert(
      fc.property(anyName, anyName, (namespace, group) => {
        const names = createNames(namespace);
        for (const name of [names.events, names.toConsumer("order.created", group)])
          expect(name).toMatch(/^[^\s.*>/\\]+$/);
        for (const subject of [names.toEventSubject("order.created"), names.replaySubject("order.created", group)]) {
          expect(subject).toMatch(/^[^\s.*>]+(\.[^\s.*>]+)+$/);
        }
      }),
    );
  });

  it("are others for another namespace, and for another group in it", () => {
    fc.assert(
      fc.property(anyName, anyName, (one, other) => {
        fc.pre(one !== other);
        const [here, there] = [createNames(one), createNames(other)];
        expect([here.events, here.toEventSubject("a")]).not.toEqual(expect.arrayContaining([there.events]));
        expect(here.toEventSubject("a")).not.toBe(there.toEventSubject("a"));
        expect(here.toConsumer("a", one)).not.toBe(here.toConsumer("a", other));
        expect(here.replaySubject("a", one)).not.toBe(here.replaySubject("a", other));
      }),
    );
  });
});

describe("The pause before a redelivery", () => {
  it("leaves a consumer that does not say otherwise some ten minutes before the last", () => {
    const minutes =
      Array.from({ length: DEFAULT_RETRIES }, (_, index) => computeBackoffMs(index + 1)).reduce(
        (sum, pause) => sum + pause,
      ) / 60_000;
    expect(minutes).toBeGreaterThan(6.5);
    expect(minutes).toBeLessThan(14);
  });

  it("is half to all of 100 ms doubled each time, whole milliseconds, at most a minute", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), (attempts) => {
        const whole = Math.min(60_000, 100 * 2 ** (attempts - 1));
        const pause = computeBackoffMs(attempts);
        expect(Number.isInteger(pause)).toBe(true);
        expect(pause).toBeGreaterThanOrEqual(whole / 2);
        expect(pause).toBeLessThanOrEqual(whole);
      }),
    );
  });
});
