import { readFileSync } from "node:fs";
import { getAt } from "@partline/toolkit";

/** Reads a file of words beside this one: its lines without comments. */
export const readLines = (name: string): string[] =>
  readFileSync(new URL(`./${name}.txt`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));

export interface Section {
  /** `wanted`, `measure torque`. */
  name: string;
  lines: string[];
}

/** Reads a file in sections, each headed by its name in brackets. */
export function readSections(file: string): Section[] {
  const sections: Section[] = [];
  for (const line of readLines(file)) {
    const [, name] = /^\[([\w, |-]+)\]$/.exec(line) ?? [];
    if (name === undefined) getAt(sections, -1).lines.push(line);
    else sections.push({ name, lines: [] });
  }
  return sections;
}
