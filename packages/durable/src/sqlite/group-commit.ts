import type { DatabaseSync } from "node:sqlite";
import { isBusy, isUnavailable, OpenedFile } from "@partline/toolkit";
import type { StoreErrors, WireError } from "./store-errors.ts";

export interface OpeningOptions {
  path: string;
  /** Longest wait for a file that another process holds locked, milliseconds. */
  busyTimeoutMs: number;
}

export type Outcome<T, Wire> = { ok: true; value: T } | { ok: false; error: Wire };

/**
 * Runs waiting requests in one transaction, each in its own savepoint, and commits once: one wait for the disk serves
 * all.
 */
export abstract class GroupCommit<Request, Value> {
  protected readonly database: DatabaseSync;
  readonly #errors: StoreErrors;
  /** Undefined for a database in memory. */
  readonly #file: OpenedFile | undefined;

  constructor(database: DatabaseSync, errors: StoreErrors) {
    // This thread writes for other stores too, so it never waits for a lock.
    database.exec("PRAGMA busy_timeout = 0");
    this.database = database;
    this.#errors = errors;
    const path = database.location();
    this.#file = path === null ? undefined : new OpenedFile(path);
  }

  /** Performs one request. If it throws, the request is undone. */
  protected abstract perform(request: Request): Value;

  /** Called after the beginning of each transaction, and before its commit. */
  protected begun(): void {}
  protected ending(): void {}

  /**
   * Returns one reply a request, in order. What is `ok` is on disk.
   * @throws an error that `isBusy` knows when another process holds the file locked: nothing was done
   */
  run(requests: readonly Request[]): Outcome<Value, WireError>[] {
    try {
      return this.#runTransaction(requests);
    } catch (error) {
      if (this.database.isTransaction) this.database.exec("ROLLBACK");
      if (isBusy(error)) throw error;
      // A request that does not fit on the disk must not take its neighbours with it.
      return requests.length > 1
        ? requests.flatMap((request) => this.#runAlone(request))
        : this.refuse(requests, error);
    }
  }

  /** The requests before may be on disk: none is run again because of a lock. */
  #runAlone(request: Request): Outcome<Value, WireError>[] {
    try {
      return this.run([request]);
    } catch (error) {
      if (!isBusy(error)) throw error;
      return this.refuse([request], error);
    }
  }

  refuse(requests: readonly Request[], error: unknown): { ok: false; error: WireError }[] {
    return requests.map(() => ({ ok: false, error: this.#errors.toWire(error) }));
  }

  close(): void {
    this.database.close();
  }

  /**
   * Runs `work`: all of it or, when it throws, nothing. @throws when the file cannot be used, which ends the
   * transaction of all
   */
  protected attempt<T>(work: () => T): Outcome<T, WireError> {
    this.database.exec("SAVEPOINT request");
    try {
      const value = work();
      this.database.exec("RELEASE request");
      return { ok: true, value };
    } catch (error) {
      // A full disk or a failed read or write rolls back the whole transaction.
      if (isUnavailable(error) || !this.database.isTransaction) throw error;
      this.database.exec("ROLLBACK TO request; RELEASE request");
      return { ok: false, error: this.#errors.toWire(error) };
    }
  }

  #runTransaction(requests: readonly Request[]): Outcome<Value, WireError>[] {
    this.database.exec("BEGIN IMMEDIATE");
    this.begun();
    const replies = requests.map((request) => this.attempt(() => this.perform(request)));
    this.ending();
    this.#file?.look();
    this.database.exec("COMMIT");
    return replies;
  }
}
