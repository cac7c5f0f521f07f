import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "../../../../../bin/node-options.mjs";
import { eventually } from "../../../../../test/support/eventually.ts";

const ROOT = fileURLToPath(new URL("../../../../..", import.meta.url));
const WRONG_CLOCK = new URL("./wrong-clock.mjs", import.meta.url).href;
const READY_WITHIN_MS = 120_000;

/** One process of a cluster, which can be ended and started again. */
export class Member {
  readonly name: string;
  readonly role: string;
  readonly #env: Record<string, string>;
  readonly #readyUrl: string | undefined;
  readonly #processor: number | undefined;
  #root: string;
  #clock = 0;
  #child: ChildProcess | undefined;
  #node: string | undefined;
  #output = "";

  /**
   * @param readyUrl of an entry point that must answer 200 before the process counts as started
   * @param root the checkout whose code it runs; this one unless given
   * @param processor the only one that it and what it starts may use, from 0; Linux alone
   */
  constructor({
    name,
    role,
    env,
    readyUrl,
    root = ROOT,
    processor,
  }: {
    name: string;
    role: string;
    env: Record<string, string>;
    readyUrl?: string;
    root?: string | undefined;
    processor?: number;
  }) {
    this.name = name;
    this.role = role;
    this.#env = env;
    this.#readyUrl = readyUrl;
    this.#root = root;
    this.#processor = processor;
  }

  /** From its next start it runs this checkout. */
  upgrade(): void {
    this.#root = ROOT;
  }

  /** From its next start its clock is wrong by so much: ahead, or behind if negative. */
  setClock(offsetMs: number): void {
    this.#clock = offsetMs;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The id that the cluster knows it by in this life, or knew it by in the last. */
  get node(): string | undefined {
    return this.#node;
  }

  /** Everything that it has printed, in all its lives. */
  get output(): string {
    return this.#output;
  }

  /** Resolves when it is ready. */
  async start(): Promise<void> {
    const printedBefore = this.#output.length;
    const command = [
      ...(this.#processor === undefined ? [] : ["taskset", "-c", String(this.#processor)]),
      process.execPath,
      ...NODE_FLAGS,
      "bin/start.ts",
    ];
    const clock = { NODE_OPTIONS: `--import=${WRONG_CLOCK}`, CLOCK_AHEAD_MS: String(this.#clock) };
    const child = spawn(command[0]!, command.slice(1), {
      cwd: this.#root,
      env: { ...NODE_ENVIRONMENT, ...this.#env, ...(this.#clock === 0 ? {} : clock) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    // Its parent may die of an error.
    const endToo = (): void => void child.kill("SIGKILL");
    process.once("exit", endToo);
    child.once("exit", () => process.off("exit", endToo));
    const take = (chunk: Buffer): void => {
      this.#output += chunk.toString();
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    await eventually(async () => {
      if (hasEnded(child)) return true;
      const [, node] = /is ready after .*\(node ([^,\s]+),/.exec(this.#output.slice(printedBefore)) ?? [];
      if (node === undefined) return false;
      this.#node = node;
      return this.#readyUrl === undefined || (await fetch(this.#readyUrl)).status === 200;
    }, READY_WITHIN_MS).catch((error: unknown) => {
      throw new Error(`${this.name} did not become ready: ${String(error)}\n${this.#output.slice(-4_000)}`, {
        cause: error,
      });
    });
    if (hasEnded(child)) throw new Error(`${this.name} ended while starting:\n${this.#output.slice(-4_000)}`);
  }

  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  /** SIGTERM; resolves when it has ended by itself. */
  stop(): Promise<void> {
    return this.#end("SIGTERM");
  }

  /** It is there and does nothing: SIGSTOP. */
  pause(): void {
    this.#child?.kill("SIGSTOP");
  }

  resume(): void {
    this.#child?.kill("SIGCONT");
  }

  async #end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const child = this.#child;
    if (!child || hasEnded(child)) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
