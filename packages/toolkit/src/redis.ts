import { AsyncLocalStorage } from "node:async_hooks";
import type { Redis } from "ioredis";

/** Redis is away or too slow. The message holds no address and no credential. */
class RedisUnavailable extends Error {
  override readonly name = "RedisUnavailable";
}

/** Longest wait for an answer, and for a connection; milliseconds. */
const ANSWER_MS = 250;
const CONNECT_MS = 2_000;

/**
 * Writes by a script, as the product does: a server that is loading, full, read-only or restricted for this user is
 * unusable.
 */
const TRIAL = "redis.call('SET', KEYS[1], '1', 'PX', 1000) return 1";

/**
 * Returns a tried connection; a broken one stays broken, and queues nothing.
 * @param namespace in front of the trial's key
 * @throws RedisUnavailable with the reason
 */
export async function connectRedis(url: string, namespace: string): Promise<Redis> {
  // Loaded on demand.
  const { Redis: Client } = await import("ioredis");
  const client = new Client(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    disconnectTimeout: ANSWER_MS,
    retryStrategy: () => null,
    enableOfflineQueue: false,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    disableClientInfo: true,
  });
  // Calls that meet a broken connection report it.
  let reason: unknown;
  client.on("error", (error) => {
    reason = error;
  });
  try {
    await waitForAnswer(client.connect(), CONNECT_MS);
    await waitForAnswer(client.eval(TRIAL, 1, `${namespace}:trial`));
    return client;
  } catch (error) {
    client.disconnect();
    throw toUnavailable(reason ?? error);
  }
}

/** @throws RedisUnavailable */
async function waitForAnswer<T>(work: Promise<T>, milliseconds = ANSWER_MS): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  // An answer that arrived while this process was busy is read before the time counts as over.
  const timer = setTimeout(
    () => setImmediate(() => reject(new RedisUnavailable(`no answer in ${milliseconds} ms`))),
    milliseconds,
  );
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw toUnavailable(error);
  } finally {
    clearTimeout(timer);
  }
}

function toUnavailable(error: unknown): RedisUnavailable {
  return error instanceof RedisUnavailable ? error : new RedisUnavailable(describeError(error), { cause: error });
}

/** The error's code (`WRONGPASS`, `ECONNREFUSED`): the rest may name users and addresses. */
function describeError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? /^[A-Z]{3,}(?= )/.exec(message)?.[0] ?? "the connection broke";
}

/** Between two tries to reach an absent server, milliseconds. */
const RETRY_MS = 1_000;

interface Options {
  /** May carry credentials. */
  url: string;
  namespace: string;
  logger: { info(message: string): void; warn(message: string): void };
  /** Behaviour while Redis is away, for the log. */
  meanwhile: string;
}

/**
 * A Redis that may be away at any time: a call waits at most a quarter of a second, and not at all while it is known to
 * be away. Changes are logged once.
 */
export class RedisConnection {
  readonly #options: Options;
  /** A connection outlives the request that finds it broken. */
  readonly #apart = AsyncLocalStorage.snapshot();
  #client: Redis | undefined;
  #connecting: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Undefined before the first try. */
  #wasUp: boolean | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  get isUp(): boolean {
    return this.#client !== undefined;
  }

  /** Resolves after the first try; further ones follow. */
  start(): Promise<void> {
    return (this.#connecting ??= this.#connect());
  }

  /** @throws RedisUnavailable */
  async ask<T>(commands: (client: Redis) => Promise<T>): Promise<T> {
    const client = this.#client;
    if (!client) throw new RedisUnavailable("it is away");
    try {
      return await waitForAnswer(commands(client));
    } catch (error) {
      if (this.#dropClient(client, error as RedisUnavailable)) client.disconnect();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#connecting;
    this.#client?.disconnect();
    this.#client = undefined;
  }

  async #connect(): Promise<void> {
    try {
      const client = await connectRedis(this.#options.url, this.#options.namespace);
      if (this.#isClosed) {
        client.disconnect();
        return;
      }
      client.on("close", () => this.#dropClient(client, new RedisUnavailable("the connection broke")));
      this.#client = client;
      this.#note(true);
    } catch (error) {
      this.#setAway(error as RedisUnavailable);
    }
  }

  /** Drops a client, and returns whether that is news. */
  #dropClient(client: Redis, reason: RedisUnavailable): boolean {
    if (this.#client !== client) return false;
    this.#client = undefined;
    this.#setAway(reason);
    return true;
  }

  #setAway(reason: RedisUnavailable): void {
    if (this.#isClosed) return;
    this.#note(false, reason.message);
    this.#retry = this.#apart(() =>
      setTimeout(() => {
        this.#connecting = this.#connect();
      }, RETRY_MS),
    );
    this.#retry.unref();
  }

  #note(isUp: boolean, reason?: string): void {
    const { logger, meanwhile } = this.#options;
    if (isUp && this.#wasUp === false) logger.info("Redis can be used again");
    if (!isUp && this.#wasUp !== false) logger.warn(`Redis cannot be used (${reason}): ${meanwhile}`);
    this.#wasUp = isUp;
  }
}
