import { expect, test } from "@jest/globals";
import { parseChosenMachine } from "../src/shop/machine/chosen-machine.ts";

const machine = { model: "kohler-ch-740s", equipment: "CH-740S", name: "Kohler CH-740S" };

test("a browser's machine is read as it was kept, and anything else is none", () => {
  expect(parseChosenMachine(JSON.stringify({ ...machine, more: 1 }))).toEqual(machine);
  for (const cookie of [undefined, "", "null", "{", "[]", JSON.stringify({ ...machine, name: 7 })])
    expect(parseChosenMachine(cookie)).toBeUndefined();
  expect(parseChosenMachine(JSON.stringify({ ...machine, name: "x".repeat(121) }))).toBeUndefined();
});
