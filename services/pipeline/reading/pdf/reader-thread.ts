import { Worker } from "node:worker_threads";
import type { Answer, PageFailureCode, ReaderLimits, Request } from "./protocol.ts";

const MB = 1_048_576;
/** How often the memory of a thread at work is looked at: what lies outside V8's heap is in no limit of V8's. */
const LOOK_EVERY_MS = 200;

interface Asked {
  answer(answer: Answer): void;
  timer: NodeJS.Timeout;
  look: NodeJS.Timeout;
}

/** A thread that reads, started by its first request, and again by the next after it was ended. It is asked one thing at a time. */
export class ReaderThread {
  readonly #limits: ReaderLimits;
  readonly #memoryMb: number;
  readonly #idleMs: number;
  #worker: Worker | undefined;
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

  /** Never rejects: a thread that takes too long or too much is ended, and that is the answer. */
  ask(request: Request, withinMs: number): Promise<Answer> {
    if (this.#isClosed) return Promise.resolve(failed("CRASHED", "The reader is closed"));
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    return new Promise((resolve) => {
      this.#asked = {
        answer: (answer) => {
          if ("opened" in answer) this.file = request.file;
          resolve(answer);
        },
        timer: setTimeout(() => this.#fail("TIMEOUT", `It took longer than ${withinMs / 1_000} s`), withinMs),
        look: setInterval(() => void this.#look(worker), LOOK_EVERY_MS),
      };
      worker.postMessage(request);
    });
  }

  /** Ends it where it is; what it was asked is told as failed. */
  end(): void {
    this.#fail("CRASHED", "Reading was stopped");
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    this.end();
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL("./thread.ts", import.meta.url), {
      name: "pdf-reader",
      workerData: this.#limits,
      // Settings and secrets are none of its business.
      env: {},
      execArgv: ["--disable-warning=ExperimentalWarning"],
      resourceLimits: { maxOldGenerationSizeMb: this.#memoryMb, maxYoungGenerationSizeMb: 32 },
    });
    worker.on("message", (answer: Answer) => this.#answer(answer));
    worker.on("error", (error: NodeJS.ErrnoException) => {
      if (worker !== this.#worker) return;
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") this.#fail("MEMORY", this.#tooMuch());
      else this.#fail("CRASHED", `The thread that read it failed: ${error.message}`);
    });
    worker.on("exit", () => {
      if (worker === this.#worker) this.#fail("CRASHED", "The thread that read it ended");
    });
    return worker;
  }

  #answer(answer: Answer): void {
    const asked = this.#asked;
    if (!asked) return;
    this.#asked = undefined;
    clearTimeout(asked.timer);
    clearInterval(asked.look);
    const worker = this.#worker;
    if (worker) {
      worker.unref();
      this.#idle = setTimeout(() => this.end(), this.#idleMs);
      this.#idle.unref();
    }
    asked.answer(answer);
  }

  #fail(code: PageFailureCode, reason: string): void {
    const worker = this.#worker;
    this.#worker = undefined;
    this.file = undefined;
    clearTimeout(this.#idle);
    void worker?.terminate();
    this.#answer(failed(code, reason));
  }

  async #look(worker: Worker): Promise<void> {
    const asked = this.#asked;
    // It rejects when the thread has ended meanwhile, which is told elsewhere.
    const heap = await worker.getHeapStatistics().catch(() => undefined);
    if (heap && asked && asked === this.#asked && (heap.used_heap_size + heap.external_memory) / MB > this.#memoryMb) this.#fail("MEMORY", this.#tooMuch());
  }

  #tooMuch(): string {
    return `It took more than ${this.#memoryMb} MB of memory`;
  }
}

function failed(code: PageFailureCode, reason: string): Answer {
  return { failed: { code, reason } };
}
