import { hash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";

const FOLDER = new URL("../../node_modules/.cache/", import.meta.url);

/**
 * Results of a check by what they were made from: a file that did not change is not looked at again. Those that this
 * run did not ask for are forgotten by `save`.
 */
export function openResults<T>(name: string) {
  const file = new URL(`${name}.json`, FOLDER);
  const earlier = readResults<T>(file);
  const used: Record<string, T> = {};
  return {
    get: (key: string): T | undefined => {
      const result = earlier[key];
      if (result !== undefined) used[key] = result;
      return result;
    },
    set: (key: string, result: T): T => (used[key] = result),
    save: (): void => {
      mkdirSync(FOLDER, { recursive: true });
      const next = new URL(`${name}.${process.pid}.json`, FOLDER);
      writeFileSync(next, JSON.stringify(used));
      renameSync(next, file);
    },
  };
}

function readResults<T>(file: URL): Record<string, T> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, T>;
  } catch {
    return {};
  }
}

export const digest = (...texts: string[]): string => hash("sha256", texts.join("\0"));
