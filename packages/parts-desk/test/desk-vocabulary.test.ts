import { findMeasure, SAYS, INTENTS } from "@partline/parts-language/words";
import { expect, test } from "@jest/globals";

const wantedOf = (text: string) => INTENTS.find(({ asked }) => asked.test(text))?.wanted;

test.each([
  ["when will my blades arrive", true],
  ["where are my parts", true],
  ["any news on my package", true],
  ["i was charged twice", true],
  ["i need to return the carburetor", true],
  ["how is the battery of the GT-2254 charged", false],
  ["torque and the order for tightening the cylinder head bolts", false],
  ["how much does the pump deliver a minute", false],
  ["what charges the battery", false],
])("%j is of an order: %j", (text, isOfOrder) => expect(SAYS.orders.test(text)).toBe(isOfOrder));

test.each([
  ["what replaces 10.A123", "replacement"],
  ["what did 10.A124 replace", "replacement"],
  ["which replacement blade fits the GT-2254", undefined],
  ["what replacement belt do i need", undefined],
  ["show me where the fuel filter is", "page"],
  ["how many spindles", "quantity"],
])("%j wants: %j", (text, wanted) => expect(wantedOf(text)).toBe(wanted));

test.each([
  ["what is the power rating of the engine", "20 hp at 3600 rpm"],
  ["oil viscosity specification", "use SAE 30"],
  ["amp rating of the fuse", "fuse, 20 amp"],
  ["wrench setting for the blade bolts", "30 ft-lb"],
  ["how thick is the blade", "0.25 in"],
])("what %j asks is answered by %j", (text, line) => expect(findMeasure(text)?.told.test(line)).toBe(true));

test("a cart is wished for by who speaks", () => {
  expect(SAYS.cart.test("hold one for me")).toBe(true);
  expect(SAYS.cart.test("which bolts hold it for the deck")).toBe(false);
});
