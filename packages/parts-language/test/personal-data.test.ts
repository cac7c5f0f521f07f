import { describe, expect, it, test } from "@jest/globals";
import fc from "fast-check";
import { listMarks, withoutPersonalData } from "../src/personal-data.ts";
import { processorMs } from "../../../test/support/processor-time.ts";

const found = (text: string): string => withoutPersonalData(text, () => true);
const foundNothing = (text: string): string => withoutPersonalData(text, () => false);

const digits = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: min, maxLength: max });
/** The published algorithm, from the left and with subtraction, other than the one that is tested. */
function checkDigit(payload: string): number {
  let sum = 0;
  for (let at = 0; at < payload.length; at += 1) {
    let value = payload.charCodeAt(at) - 48;
    if ((payload.length - at) % 2 === 1) value = value * 2 > 9 ? value * 2 - 9 : value * 2;
    sum += value;
  }
  return (10 - (sum % 10)) % 10;
}
const card = digits(12, 18).map((payload) => `${payload}${checkDigit(payload)}`);
const inFours = (number: string, separator: string): string => number.match(/\d{1,4}/g)!.join(separator);
const separator = fc.constantFrom(" ", "-", "  ", "–", ".", "\u00a0");
const words = fc.constantFrom("", "carburetor ", "60614 Chicago, ", "pay with ", "my card is ");

describe("payment cards", () => {
  test.each([
    "4111 1111 1111 1111",
    "4111-1111-1111-1111",
    "3782 822463 10005",
    "3056 930902 5904",
    "6304 0000 0000 0000",
    "card 4111111111111111",
    "Visa no. 4111111111111111",
    "MasterCard: 5555555555554444",
  ])("%s is one, whether something was found or not", (text) => {
    for (const kept of [found(text), foundNothing(text)])
      expect(kept).toMatch(/^(?:card |Visa no\. |MasterCard: )?\[card\]$/);
  });

  test("with what is written beside it is struck out together, and so is its security code", () => {
    expect(foundNothing("60614 4111 1111 1111 1111 123, belt")).toBe("[card], belt");
    expect(foundNothing("card 4111 1111 1111 1111 cvv 123, belt")).toBe("card [card] [card], belt");
    expect(found("4111 1111 1111 1111 CVC: 1234")).toBe("[card] [card]");
    expect(foundNothing("+1 312 555 0177 4111 1111 1111 1111")).toBe("[card]");
  });

  test("of a number without groups only where nothing was found", () => {
    expect([found("4111111111111111"), foundNothing("4111111111111111")]).toEqual(["4111111111111111", "[card]"]);
  });

  test("while it is typed, as soon as it shows more than its first 13 digits", () => {
    for (const length of [14, 15, 16]) {
      expect(foundNothing("4111111111111111".slice(0, length))).toBe("[card]");
      expect(foundNothing(inFours("4111111111111111".slice(0, length), " "))).toBe("[card]");
    }
  });

  it("is never kept in groups, among any words, found or not", () => {
    fc.assert(
      fc.property(card, separator, words, words, fc.boolean(), (number, between, before, behind, isPartNumber) => {
        const kept = withoutPersonalData(`${before}${inFours(number, between)} ${behind}`, () => isPartNumber);
        expect(kept).toContain("[card]");
        expect(kept).not.toContain(number.slice(0, 4) + between + number.slice(4, 8));
      }),
    );
  });

  it("is never kept in one piece where nothing was found or a card is named", () => {
    fc.assert(
      fc.property(card, words, (number, before) => {
        expect(foundNothing(`${before}${number}`)).not.toContain(number);
        expect(found(`card number ${number}`)).toBe("card number [card]");
      }),
    );
  });
});

describe("part numbers", () => {
  const letters = fc.string({ unit: fc.constantFrom(..."ABCKZ"), minLength: 1, maxLength: 4 });
  const join = fc.constantFrom("", "-");
  const partNumber = fc.oneof(
    digits(4, 12),
    fc.tuple(digits(2, 6), fc.constantFrom("-", "."), digits(3, 6)).map((parts) => parts.join("")),
    fc.tuple(letters, join, digits(2, 19)).map((parts) => parts.join("")),
    fc.tuple(digits(2, 19), join, letters).map((parts) => parts.join("")),
    fc
      .tuple(digits(3, 5), fc.constant("-"), letters, digits(1, 2), fc.constant("-"), digits(3, 3))
      .map((parts) => parts.join("")),
  );

  it("are kept, found or not", () => {
    fc.assert(
      fc.property(partNumber, fc.boolean(), (number, isPartNumber) => {
        fc.pre(!/^\d{3}[.-]\d{3}[.-]\d{4}$/.test(number));
        expect(withoutPersonalData(number, () => isPartNumber)).toBe(number);
        expect(withoutPersonalData(`carburetor ${number} for KAW`, () => isPartNumber)).toBe(
          `carburetor ${number} for KAW`,
        );
      }),
      { numRuns: 500 },
    );
  });

  it("are kept behind letters that also mean a card", () => {
    expect(withoutPersonalData("CC1430382312617", () => false)).toBe("CC1430382312617");
    expect(withoutPersonalData("PAN-1430382312617", () => false)).toBe("PAN-1430382312617");
    expect(withoutPersonalData("cc 1430382312617", () => false)).toBe("cc [card]");
  });

  it("that found something are kept with a card's length and check digit", () => {
    fc.assert(
      fc.property(card, (number) => {
        expect(found(`belt ${number}`)).toBe(`belt ${number}`);
      }),
    );
  });

  test.each([
    "16100 08970 614",
    "15964 8141 795123",
    "23x8.50-12",
    "4 6 5",
    "1/2 in 3/8-16",
    "790 614 713",
    "4006381333931",
  ])("%s are kept though nothing was found", (text) => expect(foundNothing(text)).toBe(text));
});

test("a mask finds nothing more in what it has left, and is quick for any text", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(..."0123456789 -.@+()abc"), maxLength: 300 }),
      fc.boolean(),
      (text, isPartNumber) => {
        const kept = withoutPersonalData(text, () => isPartNumber);
        expect(kept).not.toMatch(/\S@\S/);
      },
    ),
  );
  const startedAt = processorMs();
  for (const unit of ["x", "1", "1 ", "1-", "(1", "+1 ", "card no ", "a@"])
    foundNothing(unit.repeat(16_384 / unit.length));
  expect(processorMs() - startedAt).toBeLessThan(2_000);
});

test("the marks of a text stand for all of it", () => {
  expect(
    listMarks(
      "Joe Doe, 14 Elm Street 60614 Chicago, joe.doe@example.com, +1 312 555 0177, card 4111 1111 1111 1111 cvv 123, needs a carburetor",
    ),
  ).toBe("[e-mail] [phone] [card]");
  expect(listMarks("what carburetor fits a GT-2254?")).toBeUndefined();
});
