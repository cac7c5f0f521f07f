import { readFileSync } from "node:fs";

const TICKS_A_SECOND = 100;

/** Reads the processor time of a process so far, without its children; Linux alone. */
export function readProcessorSeconds(pid: number): number {
  // Behind the command's name, which may hold blanks: state, parent, …
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")
    .map(Number);
  return (fields[11]! + fields[12]!) / TICKS_A_SECOND;
}
