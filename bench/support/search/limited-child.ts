import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "../../../bin/node-options.mjs";

export interface Limits {
  seconds: number;
  megabytes: number;
  /** Its temporary files go here. */
  directory: string;
}

const LOOK_EVERY_MS = 250;

/**
 * Runs a script of this folder in a process of its own and gives what it prints, as JSON. What takes longer or more
 * memory than allowed is ended.
 * @throws Error saying so
 */
export async function runLimited<T>(
  script: string,
  args: string[],
  { seconds, megabytes, directory }: Limits,
): Promise<T> {
  const path = fileURLToPath(new URL(`./${script}.ts`, import.meta.url));
  const flags = [...NODE_FLAGS, "--expose-gc", `--max-old-space-size=${megabytes}`];
  const child = spawn(process.execPath, [...flags, path, ...args], {
    env: { ...NODE_ENVIRONMENT, ...process.env, TMPDIR: directory },
    // The channel carries nothing: it closes when this process ends in whatever way, and tells the child so.
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  let printed = "";
  let broken: string | undefined;
  child.stdout!.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const end = (reason: string): void => {
    broken = reason;
    child.kill("SIGKILL");
  };
  const clock = setTimeout(() => end(`took longer than ${seconds} s`), seconds * 1_000);
  const scales = setInterval(() => {
    if (child.exitCode === null && residentMegabytes(child.pid!) > megabytes) end(`took more than ${megabytes} MB`);
  }, LOOK_EVERY_MS);
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.once("exit", (...ended) => resolve(ended)),
  );
  clearTimeout(clock);
  clearInterval(scales);
  if (broken !== undefined || code !== 0)
    throw new Error(`${script} ${args[0] ?? ""} ${broken ?? `ended with ${code ?? signal}`}`);
  return JSON.parse(printed) as T;
}

/** 0 when there is no such process any more. */
export function residentMegabytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
