import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { findPartKind, readKindWords } from "../index.ts";
import { groupKindWords, listPartNouns, PART_KINDS } from "../words.ts";

const words = readKindWords(groupKindWords());

test.each([
  ["blade", ["Blades", "Mower Blade, High Lift, 4500Y", "Messer", "Mähmesser", "Cuchillas"]],
  ["belt", ["Belts", "Drive Belt, 1/2 in x 68 in", "Keilriemen", "Antriebsriemen", "Correa de transmisión"]],
  ["filter", ["Air Filter Pre-Cleaner", "Hydraulic Filter, 25 Micron", "Luftfiltereinsätze", "Filtro de aceite"]],
  ["carburetor", ["Carburetor Repair Kit, with Float", "Vergaser", "Kit de reparación de carburador"]],
  ["ignition", ["Spark Plug, Resistor", "Ignition", "Zündkerzen", "Bujías"]],
  ["wheel", ["Wheels & Tires", "Tires", "Turf Tire 20x10.00-8", "Räder und Reifen", "Ruedas y neumáticos"]],
  ["gasket", ["Gaskets & Seals", "Engine Gasket Set", "Dichtungssatz", "Juntas y retenes"]],
  ["engine", ["Internal Engine", "Recoil Starter", "Motor", "Kolbenringe", "Pistón"]],
  ["electrical", ["Starter Motor, with Bracket", "Seat Switch", "Elektrik", "Sistema eléctrico"]],
  ["deck", ["Deck Parts", "Blade Spindle Assembly, Cast Iron", "Mähwerk", "Plataforma de corte"]],
  ["seat", ["Seats", "Sitze", "Asientos"]],
  ["pump", ["Oil Pump", "Pumpen", "Bomba de aceite"]],
  ["cable", ["Controls & Cables", "Bowdenzüge", "Cables"]],
  [undefined, ["Gadgets", "", "X-200"]],
])("the kind %s is found in names", (kind, names) => {
  expect(names.map((name) => findPartKind(name, words))).toEqual(names.map(() => kind));
});

test("each kind has an icon, and each icon a kind", () => {
  const drawings = readFileSync(new URL("../../web/src/shop/kit/icons/parts.svg", import.meta.url), "utf8");
  const icons = [...drawings.matchAll(/<symbol id="(\w+)"/g)].map(([, id]) => id);
  expect(icons.sort()).toEqual([...PART_KINDS].sort());
});

test("a part has a noun for people, in German with a capital and in one word", () => {
  const { de, es } = listPartNouns();
  expect([de["air filter"], es["air filter"], de["carburetor repair kit"]]).toEqual([
    "Luftfilter",
    "filtro de aire",
    undefined,
  ]);
});
