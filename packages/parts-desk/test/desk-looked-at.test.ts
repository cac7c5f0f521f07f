import { expect, test } from "@jest/globals";
import { readAnswer } from "../src/desk.ts";
import { askDesk, deskOf } from "./desk.asking.ts";

test.each([
  ["is it in stock?", { part: "15964-8141" }, ["15964-8141"], "12 in stock"],
  [
    "which machines does it fit?",
    { part: "Briggs & Stratton 15964-8141", equipment: "GT-2254" },
    ["15964-8141"],
    "GT-2254",
  ],
  ["does it fit my machine?", { part: "15964-8141", equipment: "GT-2254" }, ["15964-8141"], "Yes"],
  ["blade bolt", { equipment: "gt 2254" }, ["614071"], "GT-2254"],
  // Another number and another machine are those that are asked for.
  ["do you have 614071?", { part: "15964-8141" }, ["614071"], ""],
  ["is it in stock?", { part: "nothing of the sort" }, [], ""],
  // A maker may be called like parts.
  ["is it in stock?", { part: "Bolt & Sons 15964-8141" }, ["15964-8141"], "12 in stock"],
])("'%s' is asked of what the asker looks at: %j", async (query, about, numbers, text) => {
  const { parts, answer } = await askDesk(query, { about });
  expect(parts.map(({ part_number }) => part_number)).toEqual(numbers);
  expect(answer).toContain(text);
});

test("a conversation goes on from what is looked at, and turns to the next page", async () => {
  const desk = deskOf();
  const ask = async (query: string, part: string) =>
    (await readAnswer(desk.answer({ query, about: { part }, sessionId: "s", includeStoreLink: false }))).parts.map(
      ({ part_number }) => part_number,
    );
  expect(await ask("is it in stock?", "15964-8141")).toEqual(["15964-8141"]);
  expect(await ask("and 614071?", "15964-8141")).toEqual(["614071"]);
  expect(await ask("how much is it?", "15964-8141")).toEqual(["614071"]);
  expect(await ask("how much is it?", "15964-8141 ")).toEqual(["15964-8141"]);
});
