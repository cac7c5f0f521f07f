import { describe, expect, test } from "@jest/globals";
import { mayHave } from "../../parts-language/src/serials.ts";
import { serialsIn } from "../src/models/serials.ts";

describe("serial numbers that a page is for", () => {
  test.each([
    ["FIGURE 7 MOWER DECK\nS/N 100001 - 150000", [{ from: "100001", to: "150000" }]],
    ["Figure 7 Mower Deck\nFor Serial No. 150001 and up", [{ from: "150001" }]],
    ["Serial Number Range: A1000 thru A1999", [{ from: "A1000", to: "A1999" }]],
    ["Machines with serial numbers after 2015000001", [{ from: "2015000001" }]],
    ["Serial numbers 20A475-9072-B9 and up", [{ from: "20A475-9072-B9" }]],
    ["S/N 20A475-9072-B9 to 20A475-9999-B9", [{ from: "20A475-9072-B9", to: "20A475-9999-B9" }]],
    ["SN: 5901234 & below", [{ to: "5901234" }]],
    ["Serial nos. up to 4999", [{ to: "4999" }]],
    ["S/N 1000-1999\nS/N 3000 & above", [{ from: "1000", to: "1999" }, { from: "3000" }]],
  ])("%j", (text, expected) => expect(serialsIn(text)).toEqual(expected));

  test.each([
    "The serial number is on the frame",
    "Model GT-2254\nSerial No. 100001",
    "Model year begins with serial number 25C490-2752-E7; earlier machines have another manual",
    "Serial No. 25C490-2752-E7.",
    "Write the serial number and model here",
    `${"A line\n".repeat(8)}S/N 100001 - 150000`,
    "3 15964-8141 CARBURETOR ASSEMBLY, WITH SOLENOID AND GASKET S/N 100001 & UP",
  ])("none: %j", (text) => expect(serialsIn(text)).toEqual([]));

  test.each([
    [undefined, "7", true],
    [[], "7", true],
    [[{ from: "100", to: "200" }], "100", true],
    [[{ from: "100", to: "200" }], "201", false],
    [[{ from: "100" }], "1000", true],
    [[{ to: "A-0200" }], "a199", true],
    [[{ to: "A0200" }], "A0201", false],
    [[{ to: "A0200" }], "B0201", true],
    [[{ to: "5" }, { from: "9" }], "9", true],
    [[{ from: "1" }], "9".repeat(40), true],
  ])("%j has %j: %j", (ranges, serial, expected) => expect(mayHave(ranges, serial)).toBe(expected));
});
