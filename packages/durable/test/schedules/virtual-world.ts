import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import timersPromises from "node:timers/promises";

/** A process of the simulation. What it began goes on under its name. */
export interface Member {
  name: string;
  /** What its wall clock is ahead by, milliseconds. */
  skewMs: number;
  /** Until then nothing of it runs, as in a long garbage collection. */
  stalledUntil: number;
  /** Until then none of its requests reaches the store. */
  cutUntil: number;
  isDead: boolean;
}

interface Timer {
  dueMs: number;
  /** Among timers of one moment the lowest is first. */
  rank: number;
  member: Member | undefined;
  run: () => void;
}

const RealDate = globalThis.Date;
const realSetImmediate = globalThis.setImmediate;
const STARTED_AT = RealDate.UTC(2026, 0, 1);
const members = new AsyncLocalStorage<Member>();

/** One schedule: time that passes only between events, and a seed that decides their order. */
export class VirtualWorld {
  #nowMs = 0;
  #state: number;
  readonly #timers = new Set<Timer>();

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Milliseconds since the world began. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Returns a number from 0 to below 1 (mulberry32). */
  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a whole number from `min` to `max`. */
  pick(min: number, max: number): number {
    return min + Math.floor(this.random() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  /** Runs `work` as a member: the timers that it sets are the member's. */
  runAs<T>(member: Member | undefined, work: () => T): T {
    return member ? members.run(member, work) : members.exit(work);
  }

  setTimer(delayMs: number, run: () => void): Timer {
    const dueMs = this.#nowMs + Math.max(0, delayMs);
    const timer = { dueMs, rank: this.random(), member: members.getStore(), run: AsyncResource.bind(run) };
    this.#timers.add(timer);
    return timer;
  }

  clearTimer(timer: Timer): void {
    this.#timers.delete(timer);
  }

  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.setTimer(delayMs, resolve));
  }

  /** Runs `main` and all that it causes until it resolves. @throws its error, and if nothing is left to wait for */
  async run(main: () => Promise<void>): Promise<void> {
    const restore = this.#replaceGlobals();
    let outcome: PromiseSettledResult<void> | undefined;
    try {
      void Promise.allSettled([main()]).then(([settled]) => (outcome = settled));
      for (;;) {
        // All promises that can go on have done so by then.
        await new Promise<void>((resolve) => realSetImmediate(resolve));
        if (outcome) break;
        this.#runNext();
      }
    } finally {
      restore();
    }
    if (outcome.status === "rejected") throw outcome.reason;
  }

  #runNext(): void {
    let next: Timer | undefined;
    for (const timer of this.#timers)
      if (!next || timer.dueMs < next.dueMs || (timer.dueMs === next.dueMs && timer.rank < next.rank)) next = timer;
    if (!next) throw new Error("Everything waits, and nothing is due");
    this.#timers.delete(next);
    const { member } = next;
    if (member?.isDead) return;
    if (member && member.stalledUntil > next.dueMs) {
      this.#timers.add(Object.assign(next, { dueMs: member.stalledUntil }));
      return;
    }
    this.#nowMs = next.dueMs;
    next.run();
  }

  #replaceGlobals(): () => void {
    const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
    const { random } = Math;
    const { now } = performance;
    const { setTimeout: delay, setImmediate: turn } = timersPromises;
    const wallClock = (): number => STARTED_AT + Math.floor(this.#nowMs) + (members.getStore()?.skewMs ?? 0);
    globalThis.Date = class extends RealDate {
      constructor(...given: [] | [string | number | Date]) {
        super(given.length === 0 ? wallClock() : given[0]);
      }
      static override now = wallClock;
    } as DateConstructor;
    const toHandle = (timer: Timer): object => Object.assign(timer, { ref: () => timer, unref: () => timer });
    const clear = (timer: Timer | undefined): void => void (timer && this.clearTimer(timer));
    const repeat = (run: () => void, everyMs: number): object => {
      const timer = this.setTimer(everyMs, () => {
        this.#timers.add(Object.assign(timer, { dueMs: timer.dueMs + everyMs, rank: this.random() }));
        run();
      });
      return toHandle(timer);
    };
    Object.assign(globalThis, {
      setTimeout: (run: () => void, delayMs = 0) => toHandle(this.setTimer(delayMs, run)),
      setInterval: repeat,
      clearTimeout: clear,
      clearInterval: clear,
    });
    Math.random = () => this.random();
    performance.now = () => this.#nowMs;
    Object.assign(timersPromises, {
      setTimeout: (ms: number) => this.sleep(ms),
      setImmediate: () => Promise.resolve(),
    });
    syncBuiltinESMExports();
    return () => {
      globalThis.Date = RealDate;
      Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval });
      Math.random = random;
      performance.now = now;
      Object.assign(timersPromises, { setTimeout: delay, setImmediate: turn });
      syncBuiltinESMExports();
    };
  }
}
