import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { limitToMessage } from "../../broker/contract/message.ts";

const bytesOf = (items: unknown[]): number =>
  items.reduce<number>((sum, item) => sum + Buffer.byteLength(JSON.stringify(item)), 0);

test("an answer has the first items of a list, at least one, as many as half a mebibyte holds", () => {
  const item = fc
    .tuple(fc.string({ unit: "grapheme", maxLength: 5 }), fc.integer({ min: 1, max: 200_000 }))
    .map(([text, times]) => ({ text: text.repeat(times) }));
  fc.assert(
    fc.property(fc.array(item, { maxLength: 6 }), (items) => {
      const fitting = limitToMessage(items);
      expect(fitting).toEqual(items.slice(0, fitting.length));
      if (fitting.length > 1) expect(bytesOf(fitting)).toBeLessThanOrEqual(512 * 1024);
      if (fitting.length < items.length)
        expect(fitting.length > 0 && bytesOf(items.slice(0, fitting.length + 1)) > 512 * 1024).toBe(true);
    }),
    { numRuns: 40 },
  );
});
