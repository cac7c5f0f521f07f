import { readdirSync, readFileSync } from "node:fs";

/** What a child process has of this one's environment: where programs are, and where compiled code is kept. */
export const CHILD_ENVIRONMENT: Record<string, string> = Object.fromEntries(
  ["PATH", "NODE_COMPILE_CACHE"].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
);

const TICKS_A_SECOND = 100;
const MEMORY_PAGE_MB = 4_096 / 1_048_576;

export interface Child {
  pid: number;
  command: string[];
  /** Of a processor, so far. */
  seconds: number;
  residentMb: number;
}

/** The processes that a process has started, as Linux lists them. */
export function childrenOf(parent: number): Child[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // Behind the command's name, which may hold blanks: state, parent, …
      const fields = readFileSync(`/proc/${name}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")
        .map(Number);
      if (fields[1] !== parent) return [];
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0");
      return [
        {
          pid: Number(name),
          command,
          seconds: (fields[11]! + fields[12]!) / TICKS_A_SECOND,
          residentMb: fields[21]! * MEMORY_PAGE_MB,
        },
      ];
    } catch {
      return [];
    }
  });
}

/** Those of this process that run a file whose path ends so. */
export function childrenRunning(file: string): number[] {
  return childrenOf(process.pid).flatMap(({ pid, command }) =>
    command.some((word) => word.endsWith(file)) ? [pid] : [],
  );
}

/** Of a processor: ten pages and the start of their process take half of it. */
const FROZEN_AFTER_SECONDS = 3;

/**
 * Stops each child that runs a file whose path ends so, once it has worked for so long: what it does for ever takes the
 * processor from other tests no more, and its parent hears as little of it as before. One that its parent ends earlier
 * is left alone. Returns what ends this.
 */
export function freezeTheBusy(file: string): () => void {
  const timer = setInterval(() => {
    for (const { pid, command, seconds } of childrenOf(process.pid))
      if (seconds >= FROZEN_AFTER_SECONDS && command.some((word) => word.endsWith(file))) freeze(pid);
  }, 250);
  return () => clearInterval(timer);
}

function freeze(pid: number): void {
  try {
    process.kill(pid, "SIGSTOP");
  } catch (error) {
    // It has ended since it was looked at.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Of a process and all that it has started: what several of them share (such as the program itself) counts once. */
export function memoryMbOf(parent: number): number {
  return [parent, ...childrenOf(parent).map(({ pid }) => pid)].reduce((sum, pid) => sum + proportionalMb(pid), 0);
}

function proportionalMb(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))![1]) / 1_024;
  } catch {
    return 0;
  }
}
