import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { assemble } from "../src/assemble.ts";
import type { FoundPart } from "../src/findings.ts";
import { modelsInHeader } from "../src/parts/model-columns.ts";
import { readPage } from "../src/read-page.ts";
import { findTables } from "../src/tables/find-tables.ts";
import { COLUMNS, lines, page, tablePage } from "./reading.support.ts";

/** See the head of part-lists.yaml. */
interface List {
  about: string;
  columns?: number[];
  given?: number;
  beside?: string[];
  besideAt?: number;
  models?: string[];
  rows: string;
  parts: string;
}

const FIELDS: Record<string, (part: FoundPart) => string | number | undefined> = {
  number: ({ partNumber }) => partNumber,
  name: ({ description }) => description,
  ref: ({ reference }) => reference,
  qty: ({ quantity }) => quantity,
  models: ({ quantities }) => quantities?.map(({ model, quantity }) => `${model} ${quantity ?? "?"}`).join(", "),
  next: ({ replacedBy }) => replacedBy,
  figure: ({ figure }) => figure,
  in: ({ namedIn }) => namedIn,
};

const toCells = (row: string): string[] => row.split("|").map((cell) => cell.trim().replaceAll("\\n", "\n"));
const toRows = (text: string): string[][] => text.trimEnd().split("\n").map(toCells);
const presentParts = (parts: readonly FoundPart[], fields: readonly string[]): string[][] =>
  parts.map((part) => fields.map((field) => String(FIELDS[field]!(part) ?? "")));

const { lists, sentences, headings } = parse(readFileSync(new URL("part-lists.yaml", import.meta.url), "utf8")) as {
  lists: List[];
  sentences: { about: string; parts: string; each: string }[];
  headings: string[];
};

it.each(lists.map((list) => [list.about, list] as const))("a list of %s", (_, list) => {
  const { columns = COLUMNS, given, beside = [], besideAt = 40 } = list;
  const rows = toRows(list.rows);
  const around = { beside: lines(beside, { y: besideAt }) };
  const { content, tables } = tablePage(rows, columns, { ...around, headerRows: given });
  const found =
    given === undefined
      ? assemble([readPage(content, findTables(content))], { sha256: "ab", filename: "a.pdf" }).pages[0]!
      : readPage(content, tables);
  const [fields = [], ...expected] = toRows(list.parts);
  expect(presentParts(found.parts, fields)).toEqual(expected);
  if (list.models) expect(found.models).toEqual(list.models);
});

describe.each(sentences.map((group) => [group.about, group] as const))("sentences with %s", (_, { parts, each }) => {
  it.each(each.trimEnd().split("\n"))("%s", (line) => {
    const [sentence, expected] = line.split(/ =>/) as [string, string];
    const read = presentParts(readPage(page(lines([sentence])), []).parts, toCells(parts));
    expect(read).toEqual(expected.trim() === "" ? [] : expected.split(";").map(toCells));
  });
});

it.each(headings)("models that head a column: %s", (line) => {
  const [heading, models] = line.split(/ =>/) as [string, string];
  expect(modelsInHeader(heading.replaceAll("\\n", "\n")).join(", ")).toBe(models.trim());
});
