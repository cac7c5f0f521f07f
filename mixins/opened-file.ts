import { statSync, unwatchFile, watchFile, type BigIntStats } from "node:fs";

const LOOK_EVERY_MS = 1_000;

/** SQLITE_READONLY_DBMOVED. SQLite itself raises it only for a database without a WAL. */
const MOVED = 1032;

type Identity = Pick<BigIntStats, "dev" | "ino">;

/**
 * The file that a path led to when a store opened it. When the path is removed or
 * replaced, the store still reads and writes that file, and all of it is lost when the
 * process ends. A file that is put back at its path counts as if it had never been away.
 */
export class OpenedFile {
  readonly #path: string;
  readonly #identity: Identity;
  #isThere = true;
  #listener: ((found: BigIntStats) => void) | undefined;

  /**
   * Does not open it: to close it again would drop the locks that SQLite holds on it in
   * this process.
   * @throws when there is no file
   */
  constructor(path: string) {
    this.#path = path;
    this.#identity = statSync(path, { bigint: true });
  }

  /**
   * Looks now. Waits for the disk: for a thread of its own.
   * @throws the error of a file that was removed or replaced
   */
  look(): void {
    this.#see(statSync(this.#path, { bigint: true, throwIfNoEntry: false }));
    this.assertThere();
  }

  /**
   * Looks once a second until it is closed, without waiting for the disk.
   * @param onMoved called when the file is found to be removed or replaced
   */
  watch(onMoved: (reason: string) => void): this {
    this.#listener = (found) => {
      const wasThere = this.#isThere;
      this.#see(found);
      if (wasThere && this.moved !== undefined) onMoved(this.moved);
    };
    watchFile(this.#path, { bigint: true, persistent: false, interval: LOOK_EVERY_MS }, this.#listener);
    return this;
  }

  close(): void {
    if (this.#listener) unwatchFile(this.#path, this.#listener as () => void);
  }

  /** What the last look found wrong, for operators. */
  get moved(): string | undefined {
    if (this.#isThere) return undefined;
    return `${this.#path} was removed or replaced while it was in use: stop Partline, put the files that it is to use in place, and start it again`;
  }

  /** By the last look. @throws the error of a file that was removed or replaced */
  assertThere(): void {
    if (this.moved !== undefined) throw Object.assign(new Error(this.moved), { errcode: MOVED });
  }

  /** Without a file its numbers are 0. */
  #see(found: Identity | undefined): void {
    this.#isThere = found?.ino === this.#identity.ino && found.dev === this.#identity.dev;
  }
}
