import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** Reads a suite's tables of cases, by name, from a YAML file beside it. What is null there is undefined. */
export const readCases = <T>(suite: string, file: string): T =>
  parse(readFileSync(new URL(file, suite), "utf8"), (_name, value: unknown) => value ?? undefined) as T;
