import { readFileSync } from "node:fs";

/** Reads words from a file of ours, in lines; `#` begins a comment. */
export const readWords = (file: URL): ReadonlySet<string> =>
  new Set(
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => !line.startsWith("#"))
      .flatMap((line) => line.split(" ")),
  );

/** English words of questions that name no part, folded and singular as terms are. */
export const FILLER_WORDS = readWords(new URL("./filler-words.txt", import.meta.url));

/** English words for a machine as a whole: beside its name they name no part. */
export const MACHINE_WORDS = readWords(new URL("./machine-words.txt", import.meta.url));
