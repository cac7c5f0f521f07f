import { readFileSync } from "node:fs";
import { parse } from "yaml";

export interface Fault {
  fault: string;
  file: string;
  find: string;
  put: string;
  suites: string[];
}

export function readFaults(): Fault[] {
  return parse(readFileSync(new URL("faults.yaml", import.meta.url), "utf8")) as Fault[];
}

/** Returns the source with the fault. @throws unless its text is there once */
export function putFault(source: string, { fault, file, find, put }: Fault): string {
  const count = source.split(find).length - 1;
  if (count !== 1) throw new Error(`${fault}: the text to replace is in ${file} ${count} times, not once`);
  return source.replace(find, () => put);
}

/** Returns Jest's project of a suite. */
export function findProject(suite: string): string {
  const [top, project = ""] = suite.split("/");
  if (top === "packages") return top;
  return project === "api" ? "api embedded" : project;
}
