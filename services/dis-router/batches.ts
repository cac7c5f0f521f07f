import { httpErrorDetails, type HttpFailure } from "../../mixins/http-client/errors.ts";
import type { DisValue } from "./answer.ts";
import type { DisError } from "../shared/dis-errors.ts";
import { BATCH, disKey, type DisClient, type DisPart } from "./dis-client.ts";

export interface Known {
  value: DisValue;
  at: number;
}
export type Outcome = Known | { error: DisError };

/** Reports a request: null when the supplier answered. */
export type Asked = (error: DisError | null) => void;

/** Concurrent requests. */
const PARALLEL = 4;
/** Most parts that wait for a request; beyond them the answer is `busy`. */
const MOST_WAITING = 5_000;

interface Waiting {
  part: DisPart;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/**
 * Asks about single parts in few requests: at once while a request may begin, and in batches of what came meanwhile. A
 * part under way is not asked about twice.
 */
export function createBatches(client: DisClient, asked: Asked): (parts: readonly DisPart[]) => Promise<Outcome>[] {
  const waiting = new Map<string, Waiting>();
  const underWay = new Map<string, Promise<Outcome>>();
  let requests = 0;

  const send = async (batch: readonly [key: string, waiting: Waiting][]): Promise<void> => {
    requests += 1;
    try {
      const outcomes = await inquire(
        client,
        batch.map(([, { part }]) => part),
        asked,
      );
      for (const [key, { resolve }] of batch) resolve(outcomes.get(key)!);
    } catch (error) {
      for (const [, { reject }] of batch) reject(error);
    }
    for (const [key] of batch) underWay.delete(key);
    requests -= 1;
    sendAll();
  };

  const sendAll = (): void => {
    while (requests < PARALLEL && waiting.size > 0) {
      const batch = [...waiting].slice(0, BATCH);
      for (const [key] of batch) waiting.delete(key);
      void send(batch);
    }
  };

  const enqueue = (key: string, part: DisPart): Promise<Outcome> => {
    if (waiting.size >= MOST_WAITING) return Promise.resolve({ error: "busy" });
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    waiting.set(key, { part, resolve, reject });
    underWay.set(key, promise);
    return promise;
  };

  return (parts) => {
    const outcomes = parts.map((part) => {
      const key = disKey(part);
      return underWay.get(key) ?? enqueue(key, part);
    });
    sendAll();
    return outcomes;
  };
}

/** The outcome of every part of one request, by its key. Throws only what is not the supplier's doing. */
async function inquire(client: DisClient, parts: readonly DisPart[], asked: Asked): Promise<Map<string, Outcome>> {
  try {
    const values = await client.inquire(parts);
    const at = Date.now();
    asked(null);
    return new Map(
      parts.map(disKey).map((key) => {
        const value = values.get(key);
        return [key, value ? { value, at } : { error: "unreadable" }];
      }),
    );
  } catch (error) {
    const failure = httpErrorDetails(error);
    if (!failure) throw error;
    const told = disErrorOf(failure.reason);
    asked(told);
    return new Map(parts.map((part) => [disKey(part), { error: told }]));
  }
}

function disErrorOf(reason: HttpFailure): DisError {
  return reason === "unreachable" || reason === "failed" ? "unavailable" : reason;
}
