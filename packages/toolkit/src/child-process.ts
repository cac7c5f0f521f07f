import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { flushCompileCache } from "node:module";
import { constants, getPriority, setPriority } from "node:os";
import { fileURLToPath } from "node:url";

/** The process, and not its work, is why there is no answer. */
export class ProcessFailed extends Error {
  override readonly name = "ProcessFailed";
  readonly code: "TIMEOUT" | "MEMORY" | "CRASHED";

  constructor(code: ProcessFailed["code"], message: string) {
    super(message);
    this.code = code;
  }
}

export interface ChildOptions {
  /** Script that calls `serveParent`. */
  entry: URL;
  args?: string[];
  /** Limit of V8's heap, MB. */
  heapMb?: number;
  /** Limit of the whole process, MB, where /proc shows it: V8's counts no pixels. */
  residentMb?: number;
  /** An idle process ends after this, milliseconds. */
  idleMs?: number;
}

/**
 * No settings, no secrets; compiled code is kept where this process keeps its own. One glibc arena: memory that several
 * threads took and gave back would stay in several. A fixed threshold: pictures that are freed go back to the system.
 */
const ENVIRONMENT = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_MMAP_THRESHOLD_: "131072",
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};
/** V8's own 16 MB make it no faster and take three times as much more memory. */
const YOUNG_GENERATION = "--max-semi-space-size=4";
const MB = 1_048_576;
const PAGE_BYTES = 4_096;
const LOOK_EVERY_MS = 200;
/** Signal with which V8 ends a process whose heap is full. */
const OUT_OF_MEMORY = "SIGABRT";

type Message = { answer: unknown } | { thrown: { name: string; message: string; stack?: string; code?: string } };

interface PendingRequest {
  settle(outcome: Message | Error): void;
  timer: NodeJS.Timeout;
  look: NodeJS.Timeout | undefined;
}

/** A child process that does one thing at a time; started by the first request, and again after its end. */
export class Worker<Request extends object, Answer> {
  readonly #options: ChildOptions;
  #child: ChildProcess | undefined;
  #asked: PendingRequest | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Data that the process has loaded, as its user notes; undefined after its end. */
  loaded: string | undefined;

  constructor(options: ChildOptions) {
    this.#options = options;
  }

  /**
   * @throws ProcessFailed, after which the process is gone; the system's error (EMFILE) if none could be started; else
   * what the work throws, with its name and code
   */
  async ask(request: Request, withinMs: number): Promise<Answer> {
    if (this.#isClosed) throw new ProcessFailed("CRASHED", "The process is closed");
    clearTimeout(this.#idle);
    const child = (this.#child ??= this.#start());
    hold(child, true);
    const outcome = await new Promise<Message | Error>((settle) => {
      this.#asked = {
        settle,
        timer: setTimeout(
          () => this.#fail(new ProcessFailed("TIMEOUT", `It took longer than ${withinMs / 1_000} s`)),
          withinMs,
        ),
        look: this.#options.residentMb ? setInterval(() => void this.#look(child), LOOK_EVERY_MS) : undefined,
      };
      // One that could not be started has no `send`, one that has ended no channel: an event of theirs fails it.
      child.send?.(request, () => undefined);
    });
    if (outcome instanceof Error) throw outcome;
    if ("answer" in outcome) return outcome.answer as Answer;
    throw Object.assign(new Error(outcome.thrown.message), outcome.thrown);
  }

  end(): void {
    this.#fail(new ProcessFailed("CRASHED", "It was stopped"));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const child = this.#child;
    const gone = child && once(child, "exit");
    // An idle process keeps nobody here, not even who waits for its end.
    if (child) hold(child, true);
    this.end();
    await gone;
  }

  #start(): ChildProcess {
    const { entry, args, heapMb } = this.#options;
    const child = fork(fileURLToPath(entry), args, {
      env: ENVIRONMENT,
      execArgv: [
        "--disable-warning=ExperimentalWarning",
        YOUNG_GENERATION,
        ...(heapMb ? [`--max-old-space-size=${heapMb}`] : []),
      ],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const fail = (error: Error): void => {
      if (child === this.#child) this.#fail(error);
    };
    child.on("message", (message: Message) => {
      if (child === this.#child) this.#settle(message);
    });
    child.on("error", (error) =>
      fail(child.pid === undefined ? error : new ProcessFailed("CRASHED", `The process failed: ${error.message}`)),
    );
    child.on("exit", (_, signal) =>
      fail(
        signal === OUT_OF_MEMORY
          ? createMemoryError(heapMb!)
          : new ProcessFailed("CRASHED", "The process that worked on it ended"),
      ),
    );
    return child;
  }

  #settle(outcome: Message | Error): void {
    const request = this.#asked;
    if (!request) return;
    this.#asked = undefined;
    clearTimeout(request.timer);
    clearInterval(request.look);
    if (this.#child) {
      hold(this.#child, false);
      this.#idle = setTimeout(() => this.end(), this.#options.idleMs ?? 0).unref();
    }
    request.settle(outcome);
  }

  #fail(error: Error): void {
    const child = this.#child;
    this.#child = undefined;
    this.loaded = undefined;
    clearTimeout(this.#idle);
    // One that could not be started (EMFILE) has no pid: Node would send the signal to any number that its handle
    // holds, and -1 means every process of this user.
    if (child?.pid !== undefined) child.kill("SIGKILL");
    this.#settle(error);
  }

  async #look(child: ChildProcess): Promise<void> {
    const request = this.#asked;
    const pages = await readFile(`/proc/${child.pid}/statm`, "utf8").then(
      (text) => Number(text.split(" ")[1]),
      () => 0,
    );
    const isTooMuch = (pages * PAGE_BYTES) / MB > this.#options.residentMb!;
    if (isTooMuch && request && request === this.#asked) this.#fail(createMemoryError(this.#options.heapMb!));
  }
}

/** Processes for as much work at a time. */
export function createWorkerPool<Request extends object, Answer>(size: number, options: ChildOptions) {
  type PoolWorker = Worker<Request, Answer>;
  const workers = Array.from({ length: size }, (): PoolWorker => new Worker(options));
  const free = [...workers];
  const waiting: ((worker: PoolWorker) => void)[] = [];

  const turn = (signal: AbortSignal | undefined): Promise<PoolWorker> =>
    new Promise((resolve, reject) => {
      const take = (worker: PoolWorker): void => {
        signal?.removeEventListener("abort", leave);
        resolve(worker);
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(take), 1);
        reject(signal!.reason as Error);
      };
      signal?.addEventListener("abort", leave, { once: true });
      waiting.push(take);
    });

  return {
    /** Runs the work with a free process, one that `suits` if there is one. @throws the signal's reason, at once */
    run: async <T>(
      work: (worker: PoolWorker) => Promise<T>,
      {
        suits = () => false,
        signal,
      }: { suits?: (worker: PoolWorker) => boolean; signal?: AbortSignal | undefined } = {},
    ): Promise<T> => {
      signal?.throwIfAborted();
      const suited = free.findIndex(suits);
      const worker = free.splice(suited, 1)[0] ?? (await turn(signal));
      const stop = (): void => worker.end();
      try {
        signal?.addEventListener("abort", stop);
        const result = await work(worker);
        signal?.throwIfAborted();
        return result;
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      } finally {
        signal?.removeEventListener("abort", stop);
        const next = waiting.shift();
        if (next) next(worker);
        else free.push(worker);
      }
    },
    rest: (): void => {
      for (const worker of free) worker.end();
    },
    /** Ends all; what they work on, and what waits, fails. */
    close: async (): Promise<void> => {
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}

function hold(child: ChildProcess, isHeld: boolean): void {
  for (const handle of [child, child.channel]) {
    if (isHeld) handle?.ref();
    else handle?.unref();
  }
}

function createMemoryError(mb: number): ProcessFailed {
  return new ProcessFailed("MEMORY", `It took more than ${mb} MB of memory`);
}

/** Answers the parent's requests, in a child process. */
export function serveParent(work: (request: never) => Promise<unknown>): void {
  workForParent();
  let isFirst = true;
  process.on("message", (request: unknown) => {
    void work(request as never)
      .then(
        (answer): Message => ({ answer }),
        (error: unknown): Message => {
          const { name, message, stack, code } = (
            error instanceof Error ? error : new Error(String(error))
          ) as NodeJS.ErrnoException;
          return { thrown: { name, message, ...(stack && { stack }), ...(code && { code }) } };
        },
      )
      .then((message) => {
        process.send!(message);
        // The signal that ends this process leaves no time to write it.
        if (isFirst) flushCompileCache();
        isFirst = false;
      });
  });
}

/** Makes this process give way to the shop, and end with its parent. */
export function workForParent(): void {
  // To take back what a parent gave away needs rights that a process in a container lacks.
  if (getPriority() < constants.priority.PRIORITY_BELOW_NORMAL) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  // A terminal sends its signals to every process of the group.
  process
    .on("SIGINT", () => undefined)
    .on("SIGTERM", () => undefined)
    .on("disconnect", () => process.exit(0));
}
