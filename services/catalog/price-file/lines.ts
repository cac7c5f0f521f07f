import { setImmediate } from "node:timers/promises";
import { decode } from "./encoding.ts";

export interface Line {
  number: number;
  /** Empty when `tooLong`. */
  text: string;
  /** Its text was dropped. */
  tooLong?: true;
}

/** Lines between two turns of the event loop. */
const BATCH = 200;
/** Characters; any valid row is shorter. */
const MAX_LINE = 65_536;

/** Reads the lines of a file in batches, ended by CR, LF or both. Holds at most one chunk and one line. */
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
    // It may be half of a CR LF.
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
