import { parentPort, Worker } from "node:worker_threads";

/** Operations of a thread. Arguments and values are copied between the threads. */
type Operations<O> = { [name in keyof O]: (...args: never[]) => unknown };

type Arguments<O, K extends keyof O> = O[K] extends (...args: infer A) => unknown ? A : never;
type Value<O, K extends keyof O> = O[K] extends (...args: never[]) => infer V ? Awaited<V> : never;

export type Ask<O> = <K extends keyof O & string>(operation: K, ...args: Arguments<O, K>) => Promise<Value<O, K>>;

interface Request {
  id: number;
  operation: string;
  args: unknown[];
  /** Epoch milliseconds after which the caller has given up. */
  until: number;
}

type Response = { id: number; value: unknown } | { id: number; error: string };

interface Running {
  worker: Worker;
  waiting: Map<number, { resolve(value: unknown): void; reject(error: Error): void }>;
}

export interface RequestThreadOptions {
  /** A module that calls `answerRequests`. */
  module: URL;
  name: string;
  /** V8 gives new objects a hundred megabytes before it collects them, unless it has a limit. */
  youngGenerationMb: number;
  /** Returns the thread's `workerData`, each time that one is started. */
  data?(): unknown;
  /** Operations that a client waits for: refused if too many wait, or if they were not begun in time. */
  reads?: readonly string[];
  readWithinMs?: number;
  mostReads?: number;
  /** The thread ends after so long without a request, milliseconds. */
  idleMs?(): number | undefined;
  /** `options` are given for a request that the thread may have begun. */
  unavailable(reason: string, options?: ErrorOptions): Error;
}

const READ_WITHIN_MS = 5_000;
/** A read takes a few milliseconds: about as many are answered before they are overdue. */
const MOST_READS = 1_000;

/**
 * A worker thread that answers requests. The first request starts it; if it dies, the next one starts another. A
 * request that it does not answer is rejected with `unavailable`, whose cause is what ended the thread.
 */
export class RequestThread<O extends Operations<O>> {
  readonly #options: RequestThreadOptions;
  #running: Running | undefined;
  #ending: Promise<void> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;
  #reads = 0;
  #nextId = 1;
  #isClosed = false;

  constructor(options: RequestThreadOptions) {
    this.#options = options;
  }

  readonly request: Ask<O> = async (operation, ...args) => {
    const { reads = [], readWithinMs = READ_WITHIN_MS, mostReads = MOST_READS, unavailable } = this.#options;
    if (!reads.includes(operation)) return this.#post(await this.#run(), operation, args);
    if (this.#reads >= mostReads) throw unavailable("it is overloaded");
    this.#reads += 1;
    const until = Date.now() + readWithinMs;
    try {
      return await this.#post(await this.#run(), operation, args, until);
    } finally {
      this.#reads -= 1;
    }
  };

  get worker(): Worker | undefined {
    return this.#running?.worker;
  }

  /** Resolves once all requests are answered and the thread has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.end();
  }

  /** Ends the thread once all requests are answered. The next request starts another. */
  end(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#running?.worker;
    if (!worker) return this.#ending;
    this.#running = undefined;
    worker.ref();
    this.#ending = new Promise((resolve) => worker.once("exit", () => resolve()));
    worker.postMessage({ id: 0, operation: "close", args: [], until: Infinity } satisfies Request);
    return this.#ending;
  }

  async #run(): Promise<Running> {
    await this.#ending;
    if (this.#isClosed) throw this.#options.unavailable("it is closed");
    return (this.#running ??= this.#start());
  }

  #post<K extends keyof O & string>(
    { worker, waiting }: Running,
    operation: K,
    args: unknown[],
    until = Infinity,
  ): Promise<Value<O, K>> {
    clearTimeout(this.#idle);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      if (worker !== this.#running?.worker) {
        reject(this.#options.unavailable("its thread ended"));
        return;
      }
      waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      worker.ref();
      worker.postMessage({ id, operation, args, until } satisfies Request);
    });
  }

  #start(): Running {
    const { module, name, data, youngGenerationMb, unavailable } = this.#options;
    const worker = new Worker(module, {
      name,
      workerData: data?.(),
      execArgv: ["--disable-warning=ExperimentalWarning"],
      resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
    });
    const running: Running = { worker, waiting: new Map() };
    let cause: unknown;
    worker.on("message", (response: Response) => {
      const caller = running.waiting.get(response.id);
      running.waiting.delete(response.id);
      if ("error" in response) caller?.reject(unavailable(response.error));
      else caller?.resolve(response.value);
      if (running.waiting.size === 0) this.#rest(running);
    });
    worker.on("error", (error) => {
      cause = error;
    });
    worker.on("exit", () => {
      if (this.#running === running) this.#running = undefined;
      const error = unavailable(cause instanceof Error ? cause.message : "its thread ended", { cause });
      for (const { reject } of running.waiting.values()) reject(error);
    });
    return running;
  }

  #rest(running: Running): void {
    // One that is ending keeps the process until it has ended.
    if (this.#running !== running) return;
    running.worker.unref();
    clearTimeout(this.#idle);
    const idleMs = this.#options.idleMs?.();
    if (idleMs !== undefined && !this.#isClosed) this.#idle = setTimeout(() => void this.end(), idleMs).unref();
  }
}

/** Answers requests in a thread that a `RequestThread` has started; `close` is called before it ends. */
export function answerRequests<O extends Operations<O>>(operations: O, close?: () => void): void {
  const port = parentPort!;
  const answer = (response: Response): void => port.postMessage(response);
  const running = new Set<Promise<void>>();
  const perform = async ({ id, operation, args, until }: Request): Promise<void> => {
    try {
      if (Date.now() > until) throw new Error("it is overloaded: the caller has given up");
      answer({ id, value: await operations[operation as keyof O](...(args as never[])) });
    } catch (error) {
      answer({ id, error: error instanceof Error ? error.message : String(error) });
    }
  };
  port.on("message", (request: Request) => {
    if (request.operation === "close") {
      void Promise.all(running).then(() => {
        close?.();
        port.close();
      });
      return;
    }
    const performed = perform(request).finally(() => running.delete(performed));
    running.add(performed);
  });
}
