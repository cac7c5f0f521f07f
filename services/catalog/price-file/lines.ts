import { setImmediate } from "node:timers/promises";
import { decode } from "./encoding.ts";

export interface Line {
  /** From 1. */
  number: number;
  /** Empty when `tooLong`. */
  text: string;
  /** Longer than any row may be: its text was let go. */
  tooLong?: true;
}

/** Lines of a batch: between two the event loop is free. */
const BATCH = 200;
/** Longest line, in characters: what a row's columns may hold is well below it. */
const MAX_LINE = 65_536;

/**
 * The lines of a file in batches. A line ends with CR, LF or both; bytes that are not of the file's encoding become
 * U+FFFD. Never holds more than one chunk and one line.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array | string>,
  charset = "utf-8",
): AsyncGenerator<Line[]> {
  let pending = "";
  let number = 0;
  let overlong = false;
  const take = (text: string): Line => {
    number += 1;
    const tooLong = overlong || text.length > MAX_LINE;
    overlong = false;
    return tooLong ? { number, text: "", tooLong: true } : { number, text };
  };
  for await (const text of decode(chunks, charset)) {
    pending += text;
    // A CR at the end may be half of a CR LF.
    const held = pending.endsWith("\r") ? "\r" : "";
    const parts = (held ? pending.slice(0, -1) : pending).split(/\r\n|\n|\r/);
    pending = parts.pop()! + held;
    for (let start = 0; start < parts.length; start += BATCH) {
      yield parts.slice(start, start + BATCH).map(take);
      await setImmediate();
    }
    if (pending.length > MAX_LINE) {
      pending = "";
      overlong = true;
    }
  }
  const last = pending.split(/\r\n|\n|\r/);
  if (last.at(-1) === "" && !overlong) last.pop();
  if (last.length > 0) yield last.map(take);
}
