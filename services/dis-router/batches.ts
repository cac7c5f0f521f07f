import { httpErrorDetails, type HttpFailure } from "../../mixins/http-client/errors.ts";
import type { DisValue } from "./answer.ts";
import type { DisError } from "../shared/dis-errors.ts";
import { BATCH, disKey, type DisClient, type DisPart } from "./dis-client.ts";

/** A value, and when the supplier said so. */
export interface Known {
  value: DisValue;
  at: number;
}
export type Outcome = Known | { error: DisError };

/** What came of a request: null when the supplier answered. */
export type Asked = (error: DisError | null) => void;

/** Requests at the same moment. */
const PARALLEL = 4;
/** Parts that wait for a request; of a supplier that is slower than the shop, no more are asked for. */
const MOST_WAITING = 5_000;

interface Waiting {
  part: DisPart;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/**
 * Asks about single parts in as few requests as there can be: at once while there is room for another request, and
 * together with what has come meanwhile when there is room again. A part that is asked about already is not asked about
 * twice.
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

/** The outcome of every part of one request, by its key. Only what is not the supplier's doing is thrown. */
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
