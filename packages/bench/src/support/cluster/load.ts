import { setTimeout as delay } from "node:timers/promises";
import type { Balancer } from "./balancer.ts";
import { Client } from "./clients/client.ts";
import { takeCare } from "./clients/desk.ts";
import { record, sendManual } from "./clients/recorder.ts";
import { browse, buy } from "./clients/shopper.ts";
import type { Shop } from "./clients/shop.ts";
import type { History } from "./history.ts";

type Visit = (client: Client, shop: Shop) => Promise<void>;

interface Kind {
  name: string;
  visit: Visit;
  /** Number of clients at once, each with one visit after another and a pause between (milliseconds). */
  clients: number;
  pauseMs: number;
  /** Of all visits, where they come at a rate. */
  share: number;
}

const KINDS: readonly Kind[] = [
  { name: "browser", visit: browse, clients: 3, pauseMs: 100, share: 0.5 },
  { name: "buyer", visit: buy, clients: 3, pauseMs: 300, share: 0.2 },
  { name: "desk", visit: takeCare, clients: 1, pauseMs: 300, share: 0.1 },
  { name: "recorder", visit: (client) => record(client), clients: 2, pauseMs: 100, share: 0.19 },
  { name: "librarian", visit: (client) => sendManual(client), clients: 1, pauseMs: 4_000, share: 0.01 },
];

export interface Load {
  /** No visit begins any more; resolves when the last has ended, and fails where one could not go on. */
  stop(): Promise<void>;
}

/**
 * Several clients, each of which does one thing after another: who waits for an answer sends nothing meanwhile.
 * @param most of each kind
 */
export function startClients(balancer: Balancer, shop: Shop, history: History, most = Infinity): Load {
  let isOver = false;
  const lanes = KINDS.flatMap(({ name, visit, clients, pauseMs }) =>
    Array.from({ length: Math.min(clients, most) }, async (_, index) => {
      const client = new Client(`${name}-${index + 1}`, balancer, history);
      while (!isOver) {
        await visit(client, shop);
        await delay(pauseMs);
      }
    }),
  );
  // Reported by stop.
  for (const lane of lanes) lane.catch(() => undefined);
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(lanes);
    },
  };
}

/** More visits under way than this: the system does not sustain the rate. */
const MOST_AT_ONCE = 200;

/**
 * Visits that begin at a fixed rate, whether or not those before have ended, so that a slow answer is not a rest for
 * the system.
 * @param perSecond visits; each is some three to eight requests
 */
export function startAtRate(
  perSecond: number,
  balancer: Balancer,
  shop: Shop,
  history: History,
  onOverload: () => void,
): Load {
  const runningRequests = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  let n = 0;
  const begin = (): void => {
    if (runningRequests.size >= MOST_AT_ONCE) {
      onOverload();
      return;
    }
    const { name, visit } = pickKind(n++);
    const done: Promise<unknown> = visit(new Client(`${name}-${n}`, balancer, history), shop)
      .catch((error: unknown) => failures.push(error))
      .finally(() => runningRequests.delete(done));
    runningRequests.add(done);
  };
  const timer = setInterval(begin, 1_000 / perSecond);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(runningRequests);
      if (failures.length > 0) throw new Error(`${failures.length} visits could not go on`, { cause: failures[0] });
    },
  };
}

/** By their shares, in an order that is always the same and mixes them. */
function pickKind(n: number): Kind {
  // The golden ratio's multiples spread evenly over 0 to 1.
  const place = (n * 0.618_033_988_75) % 1;
  let reached = 0;
  for (const kind of KINDS) if (place < (reached += kind.share)) return kind;
  return KINDS[0]!;
}
