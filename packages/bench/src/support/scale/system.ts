import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { startSystem } from "../../../../../test/support/system.ts";
import { startServer, stopServers } from "../child.ts";
import { cartItem, newCartId, type SearchHit, stripeSignature } from "../shop.ts";
import { type StationCosts, type Kind, KINDS, type Operation } from "./times.ts";

const KEY = "sk_test_scale";
const SECRET = "whsec_scale";
/** Of the quota of a processor, microseconds: short, so that a share is like a slow processor. */
const PERIOD = 20_000;
const CGROUPS = "/sys/fs/cgroup/cpu";
const SEARCH = "/api/search?q=carburetor&limit=10";

type SendRequest = <T>(operation: Operation, request: () => Promise<T>) => Promise<T>;

/** A system whose processes are known by their kind, and what its shoppers do. */
export interface ScaledSystem {
  /** Processor seconds so far, by kind of process, and `store`. */
  readTimes(): StationCosts;
  /** Commands that the store was sent so far. */
  countStoreCommands(): Promise<number>;
  /** Holds each process to this share of a processor. */
  limit(share: number): void;
  /** Search, cart, checkout, payment and webhook, one after another. @param sendRequest what sends each of them */
  visit(sendRequest?: SendRequest): Promise<void>;
  stop(): Promise<void>;
}

/** Starts these processes over NATS and MongoDB's protocol; with none, one process over embedded stores. */
export async function startScaledSystem(kinds: readonly Kind[]): Promise<ScaledSystem> {
  const payment = await startServer("payment-sandbox", KEY);
  const provider = `http://127.0.0.1:${payment.port}`;
  const system = await startSystem({
    mode: kinds.length > 0 ? "split" : "embedded",
    readsSamples: false,
    processes: kinds.length > 0 ? [...kinds.map((kind) => KINDS[kind]), "sandbox"] : ["all"],
    env: { STRIPE_SECRET_KEY: KEY, STRIPE_API_BASE: provider, STRIPE_WEBHOOK_SECRET: SECRET },
  });
  const { MONGO_URL } = system.env;
  const client = MONGO_URL ? await new MongoClient(MONGO_URL).connect() : undefined;
  const askStore = () => client?.db().admin().command({ serverStatus: 1 });
  const store = (await askStore())?.pid as number | undefined;
  const members = (kinds.length > 0 ? kinds : (["all"] as const)).map((kind, index) => ({
    kind,
    pid: system.processes[index]?.pid ?? NaN,
    group: join(CGROUPS, `partline-scale-${system.firstPort}-${index}`),
  }));
  let isLimited = false;

  const send = async (entry: "gateway" | "payment", path: string, rawBody?: string, headers = {}) => {
    const json = { "content-type": "application/json", ...headers };
    const { status, text, body } = await system.request(entry, rawBody ? "POST" : "GET", path, {
      ...(rawBody ? { rawBody, headers: json } : {}),
    });
    if (status >= 300) throw new Error(`${path} answered ${status}: ${text.slice(0, 200)}`);
    return body as unknown;
  };
  const answer = (await send("gateway", SEARCH)) as { parts: (SearchHit & { status: string })[] };
  const hits = answer.parts.filter(({ status }) => status === "active");
  let turn = 0;

  return {
    readTimes: () => {
      const times: StationCosts = store === undefined ? {} : { store: readProcessorTime(store) };
      for (const { kind, pid } of members) times[kind] = (times[kind] ?? 0) + readProcessorTime(pid);
      return times;
    },
    countStoreCommands: async () =>
      ((await askStore())?.network as { numRequests: number } | undefined)?.numRequests ?? 0,
    limit: (share) => {
      isLimited = true;
      for (const { group, pid } of members) {
        mkdirSync(group);
        writeFileSync(join(group, "cpu.cfs_period_us"), String(PERIOD));
        writeFileSync(join(group, "cpu.cfs_quota_us"), String(Math.round(PERIOD * share)));
        writeFileSync(join(group, "cgroup.procs"), String(pid));
      }
    },
    visit: async (sendRequest = (_, request) => request()) => {
      const hit = hits[turn++ % hits.length];
      if (!hit) throw new Error("The sandbox catalog has no part to sell");
      const cart = JSON.stringify({ cartId: newCartId(), items: [cartItem(hit, 2)] });
      await sendRequest("search", () => send("gateway", SEARCH));
      await sendRequest("cart", () => send("payment", "/api/cart", cart));
      const opened = await sendRequest("checkout", () => send("payment", "/api/checkout/session", cart));
      const { sessionId, url } = (opened as { data: { sessionId: string; url: string } }).data;
      await (await fetch(url, { method: "POST", body: new URLSearchParams(), redirect: "manual" })).text();
      const event = await findEvent(provider, sessionId);
      const signature = { "stripe-signature": stripeSignature(event, SECRET) };
      await sendRequest("webhook", () => send("payment", "/webhooks/stripe", event, signature));
    },
    stop: async () => {
      await system.stop();
      if (isLimited) members.forEach(({ group }) => rmdirSync(group));
      stopServers();
      await client?.close();
    },
  };
}

/** Processor seconds of all threads of a process so far, to the nanosecond. */
function readProcessorTime(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    try {
      return sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e9;
    } catch {
      // It has ended meanwhile.
      return sum;
    }
  }, 0);
}

async function findEvent(provider: string, sessionId: string): Promise<string> {
  const headers = { Authorization: `Bearer ${KEY}` };
  const answer = await fetch(`${provider}/v1/events?type=checkout.session.completed&limit=50`, { headers });
  const { data } = (await answer.json()) as { data: { data: { object: { id: string } } }[] };
  return JSON.stringify(data.find((event) => event.data.object.id === sessionId));
}
