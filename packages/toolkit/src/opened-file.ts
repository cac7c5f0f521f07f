import { statSync, unwatchFile, watchFile, type BigIntStats } from "node:fs";

const LOOK_EVERY_MS = 1_000;

/** SQLITE_READONLY_DBMOVED. SQLite raises it only for a database without a WAL. */
const MOVED = 1032;

type Identity = Pick<BigIntStats, "dev" | "ino">;

/**
 * The file that a path led to when a store opened it. If it is removed or replaced, the store goes on with that file,
 * and all is lost when the process ends. A file that is put back counts as never gone.
 */
export class OpenedFile {
  readonly #path: string;
  readonly #identity: Identity;
  #isThere = true;
  #listener: ((stats: BigIntStats) => void) | undefined;

  /** Does not open the file: closing it would drop SQLite's locks on it in this process. @throws when there is none */
  constructor(path: string) {
    this.#path = path;
    this.#identity = statSync(path, { bigint: true });
  }

  /** Looks now, waiting for the disk. @throws when the file was removed or replaced */
  look(): void {
    this.#see(statSync(this.#path, { bigint: true, throwIfNoEntry: false }));
    this.assertThere();
  }

  /** Looks once a second until closed, without waiting for the disk. */
  watch(onMoved: (reason: string) => void): this {
    this.#listener = (stats) => {
      const wasThere = this.#isThere;
      this.#see(stats);
      if (wasThere && this.moved !== undefined) onMoved(this.moved);
    };
    watchFile(this.#path, { bigint: true, persistent: false, interval: LOOK_EVERY_MS }, this.#listener);
    return this;
  }

  close(): void {
    if (this.#listener) unwatchFile(this.#path, this.#listener as () => void);
  }

  /** Fault that the last look found, for operators. */
  get moved(): string | undefined {
    if (this.#isThere) return undefined;
    return `${this.#path} was removed or replaced while it was in use: stop Partline, put the files that it is to use in place, and start it again`;
  }

  /** @throws when the last look found the file removed or replaced */
  assertThere(): void {
    if (this.moved !== undefined) throw Object.assign(new Error(this.moved), { errcode: MOVED });
  }

  #see(stats: Identity | undefined): void {
    this.#isThere = stats?.ino === this.#identity.ino && stats.dev === this.#identity.dev;
  }
}
