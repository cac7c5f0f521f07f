import { createHmac, randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Middleware, Service, ServiceBroker } from "moleculer";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { madeOnce } from "../../mixins/made-once.ts";
import { isUsed } from "../settings/run.ts";
import type { Settings } from "../settings.ts";
import { COMPATIBILITY, fit, IDENTITY_FILE, type Speech } from "./compatibility.ts";
import { storeIdentity } from "./store-identity.ts";
import { SettingsError } from "../settings/reader.ts";
import { middlewareOf, internalsOf, registryOf, transitOf } from "../moleculer/internals.ts";

/** What all nodes that use it must have in common. */
const SHARED = {
  documents: { setting: "MONGO_URL", what: "keeps its documents in another store" },
  search: { setting: "ELASTICSEARCH_URL", what: "searches another index" },
  objects: { setting: "S3_ENDPOINT and S3_BUCKET", what: "keeps its objects elsewhere" },
  cache: { setting: "REDIS_URL", what: "uses another Redis, or none" },
  embeddings: { setting: "EMBEDDINGS_MODEL", what: "makes vectors with another model" },
  payment: { setting: "STRIPE_SECRET_KEY or STRIPE_API_BASE", what: "has another account with the payment provider" },
  identity: {
    setting: "IDENTITY_JWKS_URL, IDENTITY_ISSUER, IDENTITY_AUDIENCE or IDENTITY_AUTHORIZED_PARTIES",
    what: "trusts another identity provider",
  },
  adminToken: { setting: "ADMIN_TOKEN", what: "has another" },
  sandbox: { setting: "SERVICES", what: "runs the sandbox already, which runs in one process" },
} as const;

type Shared = keyof typeof SHARED;

/** A node's metadata. Locations and secrets are short digests. */
export interface NodeFacts {
  version: string;
  speaks: Speech;
  startedAt: number;
  /** It was compared with all others, and fits. */
  admitted: boolean;
  uses: Partial<Record<Shared, string>>;
}

/** Prefix of a place that no setting gives. */
const EMBEDDED = "embedded ";

export async function factsOf(settings: Settings, documents: DocumentStore | undefined): Promise<NodeFacts> {
  const { entryPoints, sandbox } = settings.run;
  const digest = (...values: (string | undefined)[]): string =>
    createHmac("sha256", settings.namespace).update(JSON.stringify(values)).digest("hex").slice(0, 12);
  const embedded = (): string => `${EMBEDDED}${madeOnce(join(settings.dataDir, IDENTITY_FILE), randomUUID)}`;
  const uses: NodeFacts["uses"] = {};
  // An embedded store belongs to one process, and its copy is another store.
  if (documents)
    uses.documents = documents.backend === "mongodb" ? await storeIdentity(documents) : `${EMBEDDED}${randomUUID()}`;
  if (isUsed("ELASTICSEARCH_URL", settings))
    uses.search = settings.elasticsearchUrl === undefined ? embedded() : digest(placeOf(settings.elasticsearchUrl));
  if (isUsed("S3_ENDPOINT", settings))
    uses.objects = settings.s3 === undefined ? embedded() : digest(placeOf(settings.s3.endpoint), settings.s3.bucket);
  if (isUsed("REDIS_URL", settings))
    uses.cache = settings.redisUrl === undefined ? "memory" : digest(placeOf(settings.redisUrl));
  if (isUsed("EMBEDDINGS_MODEL", settings)) uses.embeddings = settings.embeddings?.model ?? "lexical";
  // Without the webhook's secret, which is changed process by process.
  if (isUsed("STRIPE_SECRET_KEY", settings))
    uses.payment = digest(settings.payment.secretKey, settings.payment.apiBase);
  if (entryPoints.length > 0) {
    const { jwksUrl, issuer, audience, authorizedParties } = settings.identity;
    uses.identity = digest(jwksUrl, issuer, audience, ...authorizedParties.toSorted());
    uses.adminToken = digest(settings.adminToken);
  }
  if (sandbox) uses.sandbox = randomUUID();
  return { version: settings.version, speaks: COMPATIBILITY, startedAt: Date.now(), admitted: false, uses };
}

/** For versions that do not fit, that alone. */
export function misfits(own: NodeFacts, other: NodeFacts): string[] {
  if (!fit(own.speaks, other.speaks)) {
    return [
      `Partline ${own.version} cannot run beside ${other.version}, which {node} is: stop all nodes of the one before the other starts (docs/operations.md)`,
    ];
  }
  return (Object.keys(SHARED) as Shared[]).flatMap((name) => {
    const [ours, theirs] = [own.uses[name], other.uses[name]];
    if (ours === undefined || theirs === undefined || ours === theirs) return [];
    return [`${SHARED[name].setting}: {node} ${SHARED[name].what}${whoLacks(ours, theirs)}`];
  });
}

/** Usually one of them lacks the setting. */
function whoLacks(own: string, other: string): string {
  const lacking = [own, other].flatMap((used, at) => (used.startsWith(EMBEDDED) ? [["here", "there"][at]!] : []));
  return lacking.length === 0 ? "" : ` (not set ${lacking.join(" and ")})`;
}

/** Without credentials and options. */
function placeOf(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host.toLowerCase()}${pathname.replace(/\/+$/, "")}`;
}

/** How long a starting node listens for others that start, milliseconds. */
const LISTEN_MS = 300;
/** Longest wait for another that must yield, milliseconds. */
const YIELD_MS = 5_000;
const LOOK_MS = 50;
/** From this difference of clocks on, a renewed lease can seem over, milliseconds. */
const CLOCKS_APART_MS = 5_000;

interface Misfit {
  node: { id: string };
  facts: NodeFacts;
  reasons: string[];
}

/** Call it before the broker starts. */
export function attachFacts(broker: ServiceBroker, facts: NodeFacts): void {
  broker.metadata.partline = facts;
}

/**
 * Starts a node's services only if what it uses fits all other nodes. Of two that start at once and do not fit, the
 * older one (or first by name) waits for the other to go, and refuses itself if that one was admitted.
 */
export function admissionMiddleware(): Middleware {
  let admission: Promise<void> | undefined;
  return middlewareOf({
    name: "Admission",
    serviceStarting: ({ broker }: Service): Promise<void> => (admission ??= admit(broker)),
    started: async (broker: ServiceBroker) => {
      if (!transitOf(broker)) return;
      watch(broker);
      compareClocks(broker);
      // Moleculer does so a second later: stopping a predecessor in between would leave nobody to call.
      await registryOf(broker).discoverer.sendLocalNodeInfo();
    },
  });
}

/** @throws SettingsError with a line for each difference */
async function admit(broker: ServiceBroker): Promise<void> {
  const own = factsOfNode(broker);
  if (!transitOf(broker) || !own) return;
  const { discoverer } = registryOf(broker);
  await discoverer.sendLocalNodeInfo();
  await delay(LISTEN_MS);
  for (const giveUpAt = performance.now() + YIELD_MS; ;) {
    const found = misfitsOf(broker, own);
    if (found.length === 0) break;
    const others = found.filter(
      ({ node, facts }) => facts.admitted || isBefore([facts.startedAt, node.id], [own.startedAt, broker.nodeID]),
    );
    if (others.length > 0 || performance.now() > giveUpAt)
      throw new SettingsError(linesOf(others.length > 0 ? others : found));
    await delay(LOOK_MS);
  }
  own.admitted = true;
}

/** Logs nodes that do not fit and could not be heard at the start, for example over a divided NATS. */
function watch(broker: ServiceBroker): void {
  const own = factsOfNode(broker);
  if (!own) return;
  const told = new Set<string>();
  internalsOf(broker).localBus.on("$node.connected", () => {
    for (const misfit of misfitsOf(broker, own)) {
      if (!misfit.facts.admitted || told.has(misfit.node.id)) continue;
      told.add(misfit.node.id);
      broker.logger.error(`This node and another do not fit together: stop one of them. ${linesOf([misfit])}`);
    }
  });
}

/** Each pong has its node's time, also the answer to a health check. */
function compareClocks(broker: ServiceBroker): void {
  const told = new Set<string>();
  const onPong = ({ nodeID, elapsedTime, timeDiff }: { nodeID: string; elapsedTime: number; timeDiff: number }) => {
    const apart = Math.abs(timeDiff);
    if (apart - elapsedTime / 2 < CLOCKS_APART_MS || told.has(nodeID)) return;
    told.add(nodeID);
    const seconds = Math.round(apart / 1_000);
    const where = `${seconds} s ${timeDiff < 0 ? "ahead of" : "behind"} this one's`;
    broker.logger.warn(`The clock of the node ${nodeID} is ${where}: work may run twice at once (docs/operations.md)`);
  };
  internalsOf(broker).localBus.on("$node.pong", onPong);
  void transitOf(broker)!.sendPing();
}

function factsOfNode(broker: ServiceBroker): NodeFacts | undefined {
  return broker.metadata.partline as NodeFacts | undefined;
}

function misfitsOf(broker: ServiceBroker, own: NodeFacts): Misfit[] {
  const { nodes } = registryOf(broker);
  return nodes.toArray().flatMap((node) => {
    const facts = node.metadata?.partline as NodeFacts | undefined;
    if (node.local || !node.available || !facts) return [];
    const reasons = misfits(own, facts);
    return reasons.length > 0 ? [{ node, facts, reasons }] : [];
  });
}

/** Names one node for each reason. */
function linesOf(found: readonly Misfit[]): string {
  const lines = new Map<string, string>();
  for (const { node, reasons } of found)
    for (const reason of reasons)
      if (!lines.has(reason)) lines.set(reason, reason.replace("{node}", `the node ${node.id} of this system`));
  return [...lines.values()].join("\n");
}

function isBefore([ownTime, ownName]: [number, string], [time, name]: [number, string]): boolean {
  return ownTime !== time ? ownTime < time : ownName < name;
}
