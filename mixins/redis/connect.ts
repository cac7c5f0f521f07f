import type { Redis } from "ioredis";

/** Redis is away or too slow. The message holds no address and no credential. */
export class RedisUnavailable extends Error {
  override readonly name = "RedisUnavailable";
}

/** Longest wait for an answer, and for a connection; milliseconds. */
const ANSWER_MS = 250;
const CONNECT_MS = 2_000;

/** Writes by a script, as the product does: a server may be loading, full, read-only or restricted. */
const TRIAL = "redis.call('SET', KEYS[1], '1', 'PX', 1000) return 1";

/**
 * A broken connection stays broken, and queues nothing.
 * @param namespace in front of the trial's key
 * @throws RedisUnavailable
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
    await inTime(client.connect(), CONNECT_MS);
    await inTime(client.eval(TRIAL, 1, `${namespace}:trial`));
    return client;
  } catch (error) {
    client.disconnect();
    throw unavailable(reason ?? error);
  }
}

/** @throws RedisUnavailable */
export async function inTime<T>(work: Promise<T>, milliseconds = ANSWER_MS): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  // An answer that arrived while this process was busy is read first.
  const timer = setTimeout(
    () => setImmediate(() => reject(new RedisUnavailable(`no answer in ${milliseconds} ms`))),
    milliseconds,
  );
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw unavailable(error);
  } finally {
    clearTimeout(timer);
  }
}

function unavailable(error: unknown): RedisUnavailable {
  return error instanceof RedisUnavailable ? error : new RedisUnavailable(reasonOf(error), { cause: error });
}

/** A code (`WRONGPASS`): the rest may name users and addresses. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? /^[A-Z]{3,}(?= )/.exec(message)?.[0] ?? "the connection broke";
}
