import { inScope } from "../../mixins/tracing.ts";

export const POLL_MS = 1_000;

/** Runs a task at an interval and when woken, one run at a time; a wake during a run gets another run. */
export class Turns {
  readonly #task: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> | undefined;
  #again = false;

  constructor(task: () => Promise<void>, onError: (error: unknown) => void, everyMs = POLL_MS) {
    this.#task = task;
    this.#onError = onError;
    this.#everyMs = everyMs;
  }

  start(): void {
    this.#timer = setInterval(() => {
      if (!this.#turn) this.wake();
    }, this.#everyMs).unref();
    this.wake();
  }

  /** Does nothing unless started. */
  wake(): void {
    if (this.#timer === undefined) return;
    if (this.#turn) {
      this.#again = true;
      return;
    }
    // A turn belongs to no request, also if one woke it.
    this.#turn = inScope(undefined, this.#task)
      .catch(this.#onError)
      .finally(() => {
        this.#turn = undefined;
        if (!this.#again) return;
        this.#again = false;
        this.wake();
      });
  }

  /** Resolves when the running turn has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#turn;
  }
}
