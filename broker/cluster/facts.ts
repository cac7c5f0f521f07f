import { createHmac, randomUUID } from "node:crypto";
import { join } from "node:path";
import type { DocumentStore } from "@partline/durable";
import { getAt, makeOnce } from "@partline/toolkit";
import { isUsed } from "../settings/run.ts";
import type { Settings } from "../settings.ts";
import { COMPATIBILITY, isCompatible, IDENTITY_FILE, type Speech } from "./compatibility.ts";
import { getStoreIdentity } from "./store-identity.ts";

/** Facts that must be equal on all nodes that use the resource. */
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

/** Facts that a node publishes in its metadata. Locations and secrets are short digests, for comparison only. */
export interface NodeFacts {
  version: string;
  speaks: Speech;
  startedAt: number;
  /** True once the node was compared with all others and fits. */
  admitted: boolean;
  uses: Partial<Record<Shared, string>>;
}

/** Prefix of a place that no setting gives. */
const EMBEDDED = "embedded ";

export async function collectFacts(settings: Settings, documents: DocumentStore | undefined): Promise<NodeFacts> {
  const { entryPoints, sandbox } = settings.run;
  const computeDigest = (...values: (string | undefined)[]): string =>
    createHmac("sha256", settings.namespace).update(JSON.stringify(values)).digest("hex").slice(0, 12);
  const readEmbeddedId = (): string => `${EMBEDDED}${makeOnce(join(settings.dataDir, IDENTITY_FILE), randomUUID)}`;
  const uses: NodeFacts["uses"] = {};
  // An embedded store belongs to one process, and its copy is another store.
  if (documents)
    uses.documents = documents.backend === "mongodb" ? await getStoreIdentity(documents) : `${EMBEDDED}${randomUUID()}`;
  if (isUsed("ELASTICSEARCH_URL", settings))
    uses.search =
      settings.elasticsearchUrl === undefined ? readEmbeddedId() : computeDigest(toPlace(settings.elasticsearchUrl));
  if (isUsed("S3_ENDPOINT", settings))
    uses.objects =
      settings.s3 === undefined ? readEmbeddedId() : computeDigest(toPlace(settings.s3.endpoint), settings.s3.bucket);
  if (isUsed("REDIS_URL", settings))
    uses.cache = settings.redisUrl === undefined ? "memory" : computeDigest(toPlace(settings.redisUrl));
  if (isUsed("EMBEDDINGS_MODEL", settings)) uses.embeddings = settings.embeddings?.model ?? "lexical";
  // Without the webhook's secret: it is changed process by process, while the provider signs with both.
  if (isUsed("STRIPE_SECRET_KEY", settings))
    uses.payment = computeDigest(settings.payment.secretKey, settings.payment.apiBase);
  if (entryPoints.length > 0) {
    const { jwksUrl, issuer, audience, authorizedParties } = settings.identity;
    uses.identity = computeDigest(jwksUrl, issuer, audience, ...authorizedParties.toSorted());
    uses.adminToken = computeDigest(settings.adminToken);
  }
  if (sandbox) uses.sandbox = randomUUID();
  return { version: settings.version, speaks: COMPATIBILITY, startedAt: Date.now(), admitted: false, uses };
}

/** Returns why two nodes cannot be one system; for versions that do not fit, that alone. */
export function findDifferences(ownFacts: NodeFacts, otherFacts: NodeFacts): string[] {
  if (!isCompatible(ownFacts.speaks, otherFacts.speaks)) {
    return [
      `Partline ${ownFacts.version} cannot run beside ${otherFacts.version}, which {node} is: stop all nodes of the one before the other starts (docs/operations.md)`,
    ];
  }
  return (Object.keys(SHARED) as Shared[]).flatMap((name) => {
    const [ours, theirs] = [ownFacts.uses[name], otherFacts.uses[name]];
    if (ours === undefined || theirs === undefined || ours === theirs) return [];
    return [`${SHARED[name].setting}: {node} ${SHARED[name].what}${explainMissing(ours, theirs)}`];
  });
}

/** Usually one of them was started without the setting. */
function explainMissing(ownPlace: string, otherPlace: string): string {
  const lacking = [ownPlace, otherPlace].flatMap((used, index) =>
    used.startsWith(EMBEDDED) ? [getAt(["here", "there"], index)] : [],
  );
  return lacking.length === 0 ? "" : ` (not set ${lacking.join(" and ")})`;
}

/** Host, port and path, without credentials and options. */
function toPlace(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host.toLowerCase()}${pathname.replace(/\/+$/, "")}`;
}
