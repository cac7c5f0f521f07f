import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { routeToDis, toDisCode } from "../../services/dis-router/dis-client.ts";
import { isRetired, VENDOR_CODES } from "../../packages/parts-language/src/vendors.ts";
import { ANY_CHARACTER } from "../support/any-character.ts";

/** The specification's table, written another way: what the first column says, read as a person would. */
function byTheBook(partNumber: string): "VNT" | "NHL" | "BNS" {
  const number = partNumber.trim().toUpperCase();
  const isOf = (text: string, alphabet: string) => [...text].every((character) => alphabet.includes(character));
  const digits = "0123456789";
  const [before = "", after = "", ...more] = number.split(".");
  const isDotted = more.length === 0 && before.length === 2 && after.length === 4;
  if (isDotted && isOf(before, digits) && isOf(after, `${digits}ABCDEFGHIJKLMNOPQRSTUVWXYZ`)) return "VNT";
  if (number.startsWith("BER") || number.startsWith("F350")) return "NHL";
  if (number.length === 6 && isOf(number, digits) && ["790", "614", "713"].includes(number.slice(0, 3))) return "NHL";
  return "BNS";
}

const digit = fc.constantFrom(..."0123456789");
const alphanumeric = fc.constantFrom(..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcxyz");
const text = (unit: fc.Arbitrary<string>, minLength: number, maxLength = minLength) =>
  fc.string({ unit, minLength, maxLength });
/** Numbers at and beside each rule's edge, and any string at all. */
const partNumber = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: ANY_CHARACTER }),
  fc.tuple(text(digit, 1, 3), text(alphanumeric, 3, 5)).map(([before, after]) => `${before}.${after}`),
  fc
    .tuple(fc.constantFrom("BER", "ber", "F350", "f350", "F35", "BE"), text(alphanumeric, 0, 6))
    .map(([prefix, rest]) => prefix + rest),
  fc
    .tuple(
      fc.constantFrom("790", "614", "713", "791", "79"),
      text(fc.oneof({ weight: 9, arbitrary: digit }, alphanumeric), 2, 4),
    )
    .map(([prefix, rest]) => prefix + rest),
);
const padded = fc
  .tuple(fc.constantFrom("", " ", "\t", "\n"), partNumber, fc.constantFrom("", " ", "\r\n"))
  .map(([before, number, after]) => before + number + after);
const anyCase = (code: string) => fc.constantFrom(code, code.toLowerCase(), code[0]! + code.slice(1).toLowerCase());

describe("the routing of parts to the dealer inventory system", () => {
  it("routes every string of the BNS collection to exactly the code of the specification's table", () => {
    fc.assert(
      fc.property(anyCase("BNS"), padded, (vendor, number) =>
        expect(routeToDis(vendor, number)).toBe(byTheBook(number)),
      ),
      { numRuns: 5_000 },
    );
  });

  it("routes every other vendor's parts by the vendor alone: to itself, or nowhere", () => {
    const others = Object.values(VENDOR_CODES).flat();
    const vendor = fc.constantFrom(...others.filter((code) => code !== "BNS"), "FER", "XYZ");
    const written = vendor.chain((code) => fc.tuple(fc.constant(code), anyCase(code)));
    fc.assert(
      fc.property(written, padded, ([code, typed], number) =>
        expect(routeToDis(typed, number)).toBe(VENDOR_CODES.dis.find((known) => known === code) ?? null),
      ),
    );
  });

  it("routes nothing to FER, and only BNS has another name there", () => {
    const vendor = fc.oneof(fc.string(), fc.constantFrom(...Object.values(VENDOR_CODES).flat(), "FER", "fer"));
    fc.assert(fc.property(vendor, padded, (code, number) => expect(routeToDis(code, number)).not.toBe("FER")));
    expect([isRetired("fer"), isRetired("BNS")]).toEqual([true, false]);
    expect(VENDOR_CODES.dis.map(toDisCode).join()).toBe("AGC,ALM,B&S,BUS,HON,KAW,KIN,KOH,NHL,VNT,WDS");
  });

  it.each([
    ["79.1234", "VNT"],
    ["12.A123", "VNT"],
    ["12.a12f", "VNT"],
    ["12.12345", "BNS"],
    ["123.4567", "BNS"],
    ["12.12-4", "BNS"],
    ["BER1234", "NHL"],
    ["ber.12", "NHL"],
    ["F350", "NHL"],
    ["F3501", "NHL"],
    ["790123", "NHL"],
    ["614000", "NHL"],
    ["713999", "NHL"],
    ["7901234", "BNS"],
    ["79012A", "BNS"],
    ["790-123", "BNS"],
    [" 790123 ", "NHL"],
    ["799868", "BNS"],
    ["", "BNS"],
    ["７９０１２３", "BNS"],
  ])("asks about %s as %s", (number, code) => {
    expect(routeToDis("BNS", number)).toBe(code);
  });
});
