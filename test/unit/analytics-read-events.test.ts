import { expect, test } from "@jest/globals";
import { PartlineError, validationFailed } from "../../mixins/errors.ts";
import { createEventReader } from "../../services/analytics/projector.ts";

/** A log that ends where the test says. */
function logThatEnds(): {
  endsAt(position: number): void;
  read: ReturnType<typeof createEventReader>;
  losses: () => number;
} {
  let end = 0;
  let losses = 0;
  const list = async (after: number) => {
    if (after > end)
      throw validationFailed({ field: "after", message: "The 'after' field must not be beyond the newest event." });
    return [];
  };
  return {
    endsAt: (position) => (end = position),
    read: createEventReader(list, () => (losses += 1)),
    losses: () => losses,
  };
}

test("each loss of events is reported once, also the second at the same place", async () => {
  const { endsAt, read, losses } = logThatEnds();
  for (const loss of [1, 2]) {
    endsAt(500);
    expect(await read(500, 10)).toEqual([]);
    endsAt(300);
    for (let turn = 0; turn < 3; turn += 1) expect(await read(500, 10)).toBeUndefined();
    expect(losses()).toBe(loss);
  }
});

test("a generation that stands within the log, and one that is beyond its new end, report no loss twice and hide none", async () => {
  const { endsAt, read, losses } = logThatEnds();
  endsAt(300);
  for (let turn = 0; turn < 3; turn += 1) expect([await read(500, 10), await read(100, 10)]).toEqual([undefined, []]);
  expect(losses()).toBe(1);
  endsAt(50);
  for (let turn = 0; turn < 3; turn += 1)
    expect([await read(500, 10), await read(100, 10)]).toEqual([undefined, undefined]);
  expect(losses()).toBe(2);
});

test("what fails for another reason is no loss", async () => {
  let losses = 0;
  const read = createEventReader(
    () => Promise.reject(new PartlineError("SERVICE_UNAVAILABLE", "away")),
    () => (losses += 1),
  );
  await expect(read(500, 10)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(losses).toBe(0);
});
