import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { fitAnswer, MOST_BYTES } from "../../gateway/mcp/fit.ts";

const text = fc.string({ unit: "grapheme", maxLength: 3_000 });

test("an answer of any texts and lists is JSON of at most 4 kB", () => {
  const row = fc.record({ title: text, link: fc.webUrl(), price: fc.nat() });
  fc.assert(
    fc.property(fc.record({ answer: text, parts: fc.array(row, { maxLength: 30 }), total: fc.nat() }), (answer) => {
      const written = fitAnswer(answer);
      expect(Buffer.byteLength(written)).toBeLessThanOrEqual(MOST_BYTES);
      const read = JSON.parse(written) as typeof answer & { leftOut?: number };
      expect(read.parts.length + (read.leftOut ?? 0)).toBe(answer.parts.length);
      expect(read.total).toBe(answer.total);
    }),
  );
});

test("what fits stays as it is, and no link is cut in the middle", () => {
  const small = { parts: [{ link: "https://shop.example/parts/a" }] };
  expect(fitAnswer(small)).toBe(JSON.stringify(small));
  const long = { parts: [{ link: `https://shop.example/${"a".repeat(5_000)}`, title: "é".repeat(5_000) }] };
  const [part] = (JSON.parse(fitAnswer(long)) as typeof long).parts;
  expect(part!.link).toBeNull();
  expect(part!.title).toMatch(/^é+…$/);
});

test("lists within a part lose rows before texts are cut, and nothing unseen is passed on", () => {
  const schemas = Array.from({ length: 100 }, (_, at) => `Figure ${at}: Mower Deck, ${"wide ".repeat(20)}`);
  const read = JSON.parse(fitAnswer({ answer: "One\u202e\u0007\ntwo", parts: [{ partNumber: "614071", schemas }] }));
  expect(read.answer).toBe("One\ntwo");
  expect(read.parts[0].schemas.length).toBeGreaterThan(10);
  expect(read.parts[0].schemas.length + read.leftOut).toBe(100);
  expect(read.parts[0].schemas[0]).toBe(schemas[0]);
});
