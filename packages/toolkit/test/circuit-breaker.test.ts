import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { createCircuitBreaker } from "../src/circuit-breaker.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Work that fails as the test says, and a breaker round it. */
function breaker(over: Partial<Parameters<typeof createCircuitBreaker>[0]> = {}) {
  const other = { calls: 0, mood: "well" };
  const guarded = createCircuitBreaker({
    failures: 3,
    openMs: 100,
    isFailure: (error) => (error as Error).message === "down",
    whenOpen: () => new Error("open"),
    ...over,
  });
  const attempt = () =>
    guarded(async () => {
      other.calls += 1;
      if (other.mood !== "well") throw new Error(other.mood);
      return "done";
    }).catch((error: Error) => error.message);
  return { other, guarded, attempt };
}

describe("The circuit breaker", () => {
  it("opens after failures in a row, lets one trial through after its pause, and closes on success", async () => {
    const { other, attempt } = breaker();
    other.mood = "down";
    expect([await attempt(), await attempt(), await attempt(), await attempt()]).toEqual([
      "down",
      "down",
      "down",
      "open",
    ]);
    expect(other.calls).toBe(3);
    jest.advanceTimersByTime(99);
    expect(await attempt()).toBe("open");
    jest.advanceTimersByTime(1);
    expect(await Promise.all([attempt(), attempt(), attempt()])).toEqual(["down", "open", "open"]);
    jest.advanceTimersByTime(100);
    other.mood = "well";
    expect([await attempt(), await attempt()]).toEqual(["done", "done"]);
  });

  it("counts no refusal, and takes one for the end of a row of failures", async () => {
    const { other, attempt } = breaker({ failures: 2 });
    for (const mood of ["no", "no", "no", "down", "no", "down", "no"]) {
      other.mood = mood;
      expect(await attempt()).toBe(mood);
    }
    for (const expected of ["down", "down", "open"]) {
      other.mood = "down";
      expect(await attempt()).toBe(expected);
    }
  });

  it("closes when the trial is refused", async () => {
    const { other, attempt } = breaker({ failures: 1 });
    other.mood = "down";
    await attempt();
    jest.advanceTimersByTime(100);
    other.mood = "no";
    expect([await attempt(), await attempt()]).toEqual(["no", "no"]);
  });
});
