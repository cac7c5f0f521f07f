import type { Redis } from "ioredis";

/** Redis is away, or did not do what was asked of it in time. Its message names no address and no credential. */
export class RedisUnavailable extends Error {
  override readonly name = "RedisUnavailable";
}

/** Longest wait for an answer, of a connection for all that it takes to be made; milliseconds. */
const ANSWER_MS = 250;
const CONNECT_MS = 2_000;

/**
 * Writes by a script, as what uses Redis does: a server that is loading, full, read-only or has other rules for this
 * user is none that can be used.
 */
const TRIAL = "redis.call('SET', KEYS[1], '1', 'PX', 1000) return 1";

/**
 * A connection that has been tried: one that breaks stays broken, and nothing waits in it for another.
 * @param namespace in front of the one key that the trial writes
 * @throws RedisUnavailable with the reason
 */
export async function connectRedis(url: string, namespace: string): Promise<Redis> {
  // Loaded on demand: a start without Redis does not pay for the client.
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
  // What it is told of a broken connection, the calls that meet it tell.
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

/** @throws RedisUnavailable when there is no answer in time, or one that says no */
export async function inTime<T>(work: Promise<T>, milliseconds = ANSWER_MS): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  // An answer that came while this process was busy with something else is read before the time counts as over.
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

/**
 * Redis's or the network's own word for it (`WRONGPASS`, `ECONNREFUSED`): what comes behind may name users and
 * addresses.
 */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? /^[A-Z]{3,}(?= )/.exec(message)?.[0] ?? "the connection broke";
}
