import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { type Run, toFigures, writeRuns } from "../src/support/record.ts";

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");

test("the README shows the runs of record.json", () => {
  const page = read("README.md");
  expect(writeRuns(page, JSON.parse(read("record.json")) as Run[])).toBe(page);
});

test("the figures of a run are the first rows of tables that name an aim", () => {
  const tables = [
    { title: "Where time goes", columns: ["", "ms"], rows: [["native", 3]] },
    { title: "Start (aim: under 6 s)", columns: ["", "ready after s"], rows: [["first start", 4.712]] },
  ];
  expect(toFigures(tables)).toEqual([{ figure: "first start: ready after s 4.71", aim: "under 6 s" }]);
  expect(toFigures(tables.slice(0, 1))).toEqual([{ figure: "native: ms 3" }]);
});
