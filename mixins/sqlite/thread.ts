import { parentPort, receiveMessageOnPort } from "node:worker_threads";
import { isBusy } from "../sqlite-error.ts";
import type { FromThread, OpeningOptions, ToThread, Writer } from "./protocol.ts";

/**
 * The writer thread: the only place of a process that waits for the disk. It takes all waiting messages, runs the
 * requests of each store together, and answers. It does not wait for a locked file: it tries again, and serves other
 * stores meanwhile.
 */

const PAUSE_MS = 20;

const port = parentPort!;
const stores = new Map<number, Store>();
let said: FromThread[] = [];

class Store {
  readonly #number: number;
  readonly #patienceMs: number;
  #writer: Writer<unknown> | undefined;
  #waiting: { id: number; requests: unknown[]; until: number }[] = [];
  #isClosing = false;
  #again: NodeJS.Timeout | undefined;

  constructor(number: number, open: { module: string; options: OpeningOptions }) {
    this.#number = number;
    this.#patienceMs = open.options.busyTimeoutMs;
    void this.#open(open)
      .then(
        () => this.serve(),
        (error: unknown) => {
          stores.delete(number);
          said.push({ store: number, failed: error instanceof Error ? error.message : String(error) });
        },
      )
      .then(tell);
  }

  take(message: ToThread): void {
    if ("close" in message) this.#isClosing = true;
    else this.#waiting.push({ ...message, until: performance.now() + this.#patienceMs });
  }

  /** Requests wait until the store is open. */
  serve(): void {
    if (!this.#writer || this.#again) return;
    if (this.#waiting.length > 0) this.#run(this.#writer);
    if (!this.#isClosing || this.#waiting.length > 0) return;
    this.#writer.close();
    stores.delete(this.#number);
    said.push({ store: this.#number, closed: true });
  }

  #run(writer: Writer<unknown>): void {
    const batches = this.#waiting;
    this.#waiting = [];
    try {
      const replies = writer.run(batches.flatMap(({ requests }) => requests));
      for (const { id, requests } of batches)
        said.push({ store: this.#number, id, replies: replies.splice(0, requests.length) });
    } catch (error) {
      if (!isBusy(error)) throw error;
      const now = performance.now();
      for (const { id, requests } of batches.filter(({ until }) => until <= now))
        said.push({ store: this.#number, id, replies: writer.refuse(requests, error) });
      this.#waiting = batches.filter(({ until }) => until > now);
      if (this.#waiting.length > 0) this.#again = setTimeout(() => this.#tryAgain(), PAUSE_MS);
    }
  }

  #tryAgain(): void {
    this.#again = undefined;
    this.serve();
    tell();
  }

  async #open({ module, options }: { module: string; options: OpeningOptions }): Promise<void> {
    const { openWriter } = (await import(module)) as { openWriter: (options: unknown) => Writer<unknown> };
    this.#writer = openWriter(options);
  }
}

/** In one message: each wakes the other thread. */
function tell(): void {
  if (said.length > 0) port.postMessage(JSON.stringify(said));
  said = [];
}

port.on("message", (first: string) => {
  const texts = [first];
  for (let more = receiveMessageOnPort(port); more; more = receiveMessageOnPort(port))
    texts.push(more.message as string);
  const asked = new Set<Store>();
  for (const text of texts) {
    const message = JSON.parse(text) as ToThread;
    if ("open" in message && message.open) stores.set(message.store, new Store(message.store, message.open));
    const store = stores.get(message.store);
    if (!store) continue;
    store.take(message);
    asked.add(store);
  }
  for (const store of asked) store.serve();
  tell();
});
