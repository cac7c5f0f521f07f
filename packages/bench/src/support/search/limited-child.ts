import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

export interface Limits {
  seconds: number;
  megabytes: number;
}

/** A process that prints a line of JSON when it is ready and one for each line of its input, until that ends. */
export interface Talker<Ready, Answer> {
  ready: Ready;
  ask(): Promise<Answer>;
  end(): Promise<void>;
}

const LOOK_EVERY_MS = 250;

/**
 * Waits until a process is ready. One that takes longer in all, or more memory, than allowed is ended.
 * @param child whose input and output are piped
 * @throws Error saying so, as do `ask` and `end`
 */
export async function talkTo<Ready, Answer>(
  child: ChildProcess,
  name: string,
  { seconds, megabytes }: Limits,
): Promise<Talker<Ready, Answer>> {
  let broken: string | undefined;
  const stop = (reason: string): void => {
    broken = reason;
    child.kill("SIGKILL");
  };
  const clock = setTimeout(() => stop(`took longer than ${seconds} s`), seconds * 1_000);
  const scales = setInterval(() => {
    if (child.exitCode === null && residentMegabytes(child.pid!) > megabytes) stop(`took more than ${megabytes} MB`);
  }, LOOK_EVERY_MS);
  const ended = once(child, "close").then(([code, signal]: (number | string | null)[]) => {
    clearTimeout(clock);
    clearInterval(scales);
    if (broken !== undefined || code !== 0) throw new Error(`${name} ${broken ?? `ended with ${code ?? signal}`}`);
  });
  ended.catch(() => undefined);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const readAnswer = async <T>(): Promise<T> => {
    const { value, done } = (await lines.next()) as IteratorResult<string, undefined>;
    if (!done) return JSON.parse(value) as T;
    await ended;
    throw new Error(`${name} ended too early`);
  };
  return {
    ready: await readAnswer<Ready>(),
    ask: () => {
      child.stdin!.write("\n");
      return readAnswer<Answer>();
    },
    end: () => {
      child.stdin!.end();
      return ended;
    },
  };
}

/** 0 when there is no such process any more. */
export function residentMegabytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
