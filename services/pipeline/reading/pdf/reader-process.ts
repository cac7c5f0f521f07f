import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { endProcess } from "../../../../mixins/child-process.ts";
import type { Answer, PageFailureCode, ReaderLimits, Request } from "./protocol.ts";

const ENTRY = fileURLToPath(new URL("./process.ts", import.meta.url));
/**
 * Settings and secrets are none of its business. Of glibc one arena: pixels that several threads took and gave back
 * would stay in several.
 */
const ENVIRONMENT = { MALLOC_ARENA_MAX: "1" };
/** V8's own 16 MB make it no faster, and three times the difference of its memory. */
const YOUNG_GENERATION = "--max-semi-space-size=4";
const MB = 1_048_576;
const PAGE_BYTES = 4_096;
/** How often the memory of a process at work is looked at: what lies outside V8's heap is in no limit of V8's. */
const LOOK_EVERY_MS = 200;
/** What a process has before it reads anything. */
const OWN_MB = 120;
/** With which V8 ends a process whose heap is full. */
const OUT_OF_MEMORY = "SIGABRT";

interface Asked {
  answer(answer: Answer): void;
  timer: NodeJS.Timeout;
  look: NodeJS.Timeout;
}

/**
 * A process that reads, started by its first request, and again by the next after it was ended. It is asked one thing
 * at a time. (What a thread once took stays with the process that it was a thread of: 110 MB after two small manuals.)
 */
export class ReaderProcess {
  readonly #limits: ReaderLimits;
  readonly #memoryMb: number;
  readonly #idleMs: number;
  #child: ChildProcess | undefined;
  #asked: Asked | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** The file that it has open. */
  file: string | undefined;

  constructor({ limits, memoryMb, idleMs }: { limits: ReaderLimits; memoryMb: number; idleMs: number }) {
    this.#limits = limits;
    this.#memoryMb = memoryMb;
    this.#idleMs = idleMs;
  }

  /** Never rejects: a process that takes too long or too much is ended, and that is the answer. */
  ask(request: Request, withinMs: number): Promise<Answer> {
    if (this.#isClosed) return Promise.resolve(failed("CRASHED", "The reader is closed"));
    clearTimeout(this.#idle);
    const child = (this.#child ??= this.#start());
    hold(child, true);
    return new Promise((resolve) => {
      this.#asked = {
        answer: (answer) => {
          if ("opened" in answer) this.file = request.file;
          resolve(answer);
        },
        timer: setTimeout(() => this.#fail("TIMEOUT", `It took longer than ${withinMs / 1_000} s`), withinMs),
        look: setInterval(() => void this.#look(child), LOOK_EVERY_MS),
      };
      // Where it has ended, its exit tells; one that could not be started has no `send`, and its error tells.
      child.send?.(request, () => undefined);
    });
  }

  /** Ends it where it is; what it was asked is told as failed. */
  end(): void {
    this.#fail("CRASHED", "Reading was stopped");
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const child = this.#child;
    const gone = child && once(child, "exit");
    // A process without work keeps nobody here, not even who waits for its end.
    if (child) hold(child, true);
    this.end();
    await gone;
  }

  #start(): ChildProcess {
    const child = fork(ENTRY, [JSON.stringify(this.#limits)], {
      env: ENVIRONMENT,
      execArgv: ["--disable-warning=ExperimentalWarning", YOUNG_GENERATION, `--max-old-space-size=${this.#memoryMb}`],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    child.on("message", (answer: Answer) => {
      if (child === this.#child) this.#answer(answer);
    });
    child.on("error", (error) => {
      if (child === this.#child) this.#fail("CRASHED", `The process that was to read it failed: ${error.message}`);
    });
    child.on("exit", (_, signal) => {
      if (child !== this.#child) return;
      if (signal === OUT_OF_MEMORY) this.#fail("MEMORY", this.#tooMuch());
      else this.#fail("CRASHED", "The process that read it ended");
    });
    return child;
  }

  #answer(answer: Answer): void {
    const asked = this.#asked;
    if (!asked) return;
    this.#asked = undefined;
    clearTimeout(asked.timer);
    clearInterval(asked.look);
    const child = this.#child;
    if (child) {
      hold(child, false);
      this.#idle = setTimeout(() => this.end(), this.#idleMs);
      this.#idle.unref();
    }
    asked.answer(answer);
  }

  #fail(code: PageFailureCode, reason: string): void {
    const child = this.#child;
    this.#child = undefined;
    this.file = undefined;
    clearTimeout(this.#idle);
    if (child) endProcess(child);
    this.#answer(failed(code, reason));
  }

  async #look(child: ChildProcess): Promise<void> {
    const asked = this.#asked;
    const residentMb = await residentMbOf(child.pid);
    if (residentMb !== undefined && asked && asked === this.#asked && residentMb > this.#memoryMb + OWN_MB)
      this.#fail("MEMORY", this.#tooMuch());
  }

  #tooMuch(): string {
    return `It took more than ${this.#memoryMb} MB of memory`;
  }
}

/** Undefined where the process is gone, and on systems without /proc: there V8's limit is the only one. */
async function residentMbOf(pid: number | undefined): Promise<number | undefined> {
  const pages = await readFile(`/proc/${pid}/statm`, "utf8").then(
    (text) => Number(text.split(" ")[1]),
    () => undefined,
  );
  return pages === undefined ? undefined : (pages * PAGE_BYTES) / MB;
}

/** Whether this process stays for the sake of that one. */
function hold(child: ChildProcess, isHeld: boolean): void {
  for (const handle of [child, child.channel]) {
    if (isHeld) handle?.ref();
    else handle?.unref();
  }
}

function failed(code: PageFailureCode, reason: string): Answer {
  return { failed: { code, reason } };
}
