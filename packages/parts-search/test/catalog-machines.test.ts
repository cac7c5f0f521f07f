import { describe, expect, it, test } from "@jest/globals";
import fc from "fast-check";
import { CatalogMachines } from "../src/fitment-index/catalog-machines.ts";
import { readFits } from "../src/search-index/fits.ts";

const MACHINES = Object.entries({
  "Briggs & Stratton": ["Vanguard 18 HP V-Twin", "Vanguard 23 HP V-Twin", "Intek 17.5 HP", "650 Series", "Snow 1150"],
  "Honda Engines": ["GX160", "GXV160", "GX390"],
  Kohler: ["Command CH25", "Command PRO CH740", "7000 Series KT735"],
  Ventrac: ["4500Y", "4520N"],
  AGCO: ["Massey Ferguson 1835", "Gleaner S9"],
  Raven: ["ROS", "AutoBoom XRT"],
}).flatMap(([maker, names]) => names.map((name) => ({ name, maker })));
const machines = new CatalogMachines(MACHINES);
const find = (text: string) =>
  machines.findMentions(text).map(({ from, to, name, how }) => `${text.slice(from, to)} = ${name} (${how})`);

test.each([
  ["air filter for a Ventrac 4500Y", ["Ventrac 4500Y = 4500Y (named)"]],
  ["Briggs Vanguard 18 HP", ["Briggs Vanguard 18 HP = Vanguard 18 HP V-Twin (named)"]],
  ["vanguard 23hp starter", ["vanguard 23hp = Vanguard 23 HP V-Twin (named)"]],
  ["GX-390, GXV160", ["GX-390 = GX390 (named)", "GXV160 = GXV160 (named)"]],
  ["kohler command pro 740", ["kohler command pro 740 = Command PRO CH740 (named)"]],
  ["my masseyferguson1835", ["masseyferguson1835 = Massey Ferguson 1835 (named)"]],
  ["650 series plug", ["650 series = 650 Series (named)"]],
  ["autoboom xrt valve", ["autoboom xrt = AutoBoom XRT (named)"]],
  ["honda 390", ["honda 390 = GX390 (part)"]],
  ["honda 160", ["honda 160 = GX160 (part)", "honda 160 = GXV160 (part)"]],
  ["CV740", ["CV740 = Command PRO CH740 (near)"]],
])("a text names a machine: %s", (text, found) => {
  expect(find(text)).toEqual(found);
});

test.each([
  "Briggs Intek 18 HP",
  "18 hp",
  "gx",
  "18x8.50-8 tire",
  "bolt D18",
  "1835",
  "belt 1/2 x 68 in",
  "614071",
  "kohler 25 hp",
])("a text names no machine, and not another one: %s", (text) => {
  expect(find(text)).toEqual([]);
});

it("finds each machine by its name with its maker, amid words, in any case and without blanks", () => {
  const spellings = [
    (name: string, maker: string) => `do you have a belt for my ${maker} ${name}, please`,
    (name: string) => name.toUpperCase(),
    (name: string) => `${name.replaceAll(/[ -]/g, "").toLowerCase()} filter`,
    (name: string) => `filter ${name.replaceAll(/(?<=[A-Z])(?=\d)/g, " ")}`,
  ];
  fc.assert(
    fc.property(fc.constantFrom(...MACHINES), fc.constantFrom(...spellings), ({ name, maker }, spell) => {
      expect(machines.match(spell(name, maker))).toEqual([name]);
    }),
  );
});

describe("what a part fits", () => {
  test.each([
    ["Meters fuel. Fits Command CH25 and Confidant ZT720. Genuine part.", ["Command CH25", "Confidant ZT720"]],
    ["Fits Intek 17.5 HP, GX160, and ROS", ["Intek 17.5 HP", "GX160", "ROS"]],
    ["Compatible with models: GX390; sealed.", ["GX390"]],
    ["Fits most mowers. For 1/2 in shafts.", []],
    ["Fits 3/4 in shafts. Outfits 20 mowers.", []],
  ])("is read in its description: %s", (description, fits) => {
    expect(readFits({ description })).toEqual(fits);
  });
});
