import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { FromThread, ToThread } from "./protocol.ts";

/** A store's end of the thread. */
export interface Tenant {
  heard(message: FromThread): void;
  /** The thread ended, and what was not answered is lost. */
  gone(reason: string): void;
}

/** The writer thread of this process, shared by its stores: each thread costs tens of megabytes. */
let thread: Thread | undefined;
let nextStore = 1;

export class Thread {
  readonly worker: Worker;
  readonly #tenants = new Map<number, { tenant: Tenant; unanswered: number }>();

  private constructor() {
    // V8 would give new objects a hundred megabytes of room.
    this.worker = new Worker(fileURLToPath(new URL("./thread.ts", import.meta.url)), {
      name: "sqlite-writer",
      resourceLimits: { maxYoungGenerationSizeMb: 12 },
    });
    let reason = "the writer thread ended";
    this.worker.on("message", (text: string) => {
      for (const message of JSON.parse(text) as FromThread[]) this.#tenants.get(message.store)?.tenant.heard(message);
    });
    this.worker.on("error", (error) => {
      reason = `the writer thread failed: ${error instanceof Error ? error.message : String(error)}`;
    });
    this.worker.on("exit", () => {
      this.#leave();
      for (const { tenant } of this.#tenants.values()) tenant.gone(reason);
    });
  }

  /** The thread that runs now, or a new one. */
  static running(): Thread {
    return (thread ??= new Thread());
  }

  admit(tenant: Tenant): number {
    const store = nextStore++;
    this.#tenants.set(store, { tenant, unanswered: 0 });
    return store;
  }

  /** With the last of its stores the thread ends. */
  async dismiss(store: number): Promise<void> {
    this.#tenants.delete(store);
    if (this.#tenants.size > 0) {
      this.#letGo();
      return;
    }
    this.#leave();
    await this.worker.terminate();
  }

  /** Keeps the process alive until the answer. */
  ask(message: ToThread): void {
    this.worker.postMessage(JSON.stringify(message));
    this.#tenants.get(message.store)!.unanswered += 1;
    this.worker.ref();
  }

  answered(store: number): void {
    const place = this.#tenants.get(store);
    if (place) place.unanswered -= 1;
    this.#letGo();
  }

  #letGo(): void {
    for (const { unanswered } of this.#tenants.values()) if (unanswered > 0) return;
    this.worker.unref();
  }

  #leave(): void {
    if (thread === this) thread = undefined;
  }
}
