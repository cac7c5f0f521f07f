import { readLines } from "./read-lines.ts";

export const readWords = (file: string): ReadonlySet<string> => new Set(readLines(file).join(" ").split(" "));

/** English words of questions that name no part, folded and singular as terms are. */
export const FILLER_WORDS = readWords("filler-words");

/** English words for a machine as a whole: beside its name they name no part. */
export const MACHINE_WORDS = readWords("machine-words");
