import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENTRY_POINTS } from "../../../../../broker/contract/define.ts";
import { toPortSetting } from "../../../../../broker/settings/addresses.ts";
import { SANDBOX_PORTS } from "../../../../../broker/settings.ts";
import { createManualMarks } from "../../../../sandbox/src/manuals/manuals.ts";
import { CHILD_ENVIRONMENT } from "../../../../../test/support/children.ts";
import { removeTestIndexes } from "../../../../../test/support/elasticsearch.ts";
import { putCatalog } from "../../../../../test/support/sandbox-catalog.ts";
import { mongoTestUrl } from "../../../../../test/support/mongo.ts";
import { startOwnNats, type OwnNats } from "../../../../../test/support/nats-server.ts";
import { freePorts, SANDBOX_PORT_COUNT } from "../../../../../test/support/ports.ts";
import { removeTestBucket, s3Settings, s3TestLocation } from "../../../../../test/support/s3.ts";
import { ADMIN_TOKEN } from "../../../../../test/support/system.ts";
import { gatewayAt, type Gateway } from "./balancer.ts";
import { startFront } from "./front.ts";
import { openLinks, type Cuttable, type Links } from "./links.ts";
import { Member } from "./member.ts";
import { EDGE, SANDBOX, TOPOLOGIES, type Role, type Topology } from "./topology.ts";

export interface Cluster {
  members: readonly Member[];
  gateways: readonly Gateway[];
  nats: OwnNats;
  /** Between the processes and their servers. */
  links: Links;
  paymentSandboxUrl: string;
  identitySandboxUrl: string;
  adminToken: string;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  topology: Topology;
  /** Of each kind of process but the sandbox; 2 unless given. */
  copies?: number;
  cuttable: Cuttable;
  /** A checkout, with its packages, of the version that all but the sandboxes begin with; this one unless given. */
  from?: string;
}

/**
 * For the load balancer's next looks: a connection that it kept open and that closes as it sends is an answer that
 * never comes.
 */
const DRAIN_SECONDS = "3";

/**
 * Partline as separate processes, each with a DATA_DIR of its own as on a machine of its own, on three NATS servers of
 * its own and on the other servers that the environment names. Resolves when all are ready.
 */
export async function startCluster({ topology, copies = 2, cuttable, from }: ClusterOptions): Promise<Cluster> {
  const nats = await startOwnNats({ nodes: 3, advertise: false });
  const first = await freePorts(ENTRY_POINTS.length * (copies + 1) + SANDBOX_PORT_COUNT);
  const portsFrom = (block: number) => first + ENTRY_POINTS.length * block;
  const sandboxPort = portsFrom(copies + 1);
  const namespace = `partline_test_cluster_${first}_${Date.now()}`;
  const s3 = process.env.S3_ENDPOINT ? s3TestLocation() : undefined;
  const mongoUrl = mongoTestUrl("cluster");
  const links = openLinks(
    {
      nats: nats.url,
      mongo: mongoUrl,
      elasticsearch: process.env.ELASTICSEARCH_URL,
      redis: process.env.REDIS_URL,
      s3: s3?.endpoint,
    },
    cuttable,
  );
  // What the providers call, and what links point at, is a load balancer's.
  const balanced = portsFrom(copies);
  const fronts = await Promise.all(
    ENTRY_POINTS.map((_, index) =>
      startFront(
        balanced + index,
        Array.from({ length: copies }, (_, copy) => portsFrom(copy) + index),
      ),
    ),
  );

  const common: Record<string, string> = {
    ...CHILD_ENVIRONMENT,
    ADMIN_TOKEN,
    SANDBOX_PORT: String(sandboxPort),
    LOG_LEVEL: "warn",
    NATS_NAMESPACE: namespace,
  };
  const dataDirs = mkdtempSync(join(tmpdir(), "partline-cluster-"));
  const startMember = async ({ name: role, services }: Role, copy: number): Promise<Member> => {
    const name = role === SANDBOX.name ? role : `${role}-${copy + 1}`;
    const ports = portsFrom(role === EDGE.name ? copy : copies);
    const ways = await links.openFor(name);
    const env = {
      ...common,
      NATS_URL: ways.nats,
      MONGO_URL: ways.mongo!,
      ...(ways.elasticsearch ? { ELASTICSEARCH_URL: ways.elasticsearch } : {}),
      ...(ways.redis ? { REDIS_URL: ways.redis } : {}),
      ...(s3 ? s3Settings({ ...s3, endpoint: ways.s3! }) : {}),
      ...(role === EDGE.name ? { DRAIN_SECONDS } : {}),
      SERVICES: services,
      DATA_DIR: join(dataDirs, name),
      CLUSTER_SECRET: "secret-of-the-cluster-of-the-tests",
      GUEST_STORAGE_MB: "1000000",
      ...Object.fromEntries(ENTRY_POINTS.map((entry, index) => [toPortSetting(entry), String(ports + index)])),
    };
    return new Member({
      name,
      role,
      env,
      ...(role === SANDBOX.name ? {} : { root: from }),
      ...(role === EDGE.name ? { readyUrl: `${gatewayAt(name, ports).url("gateway")}/health/ready` } : {}),
    });
  };
  const kinds = [EDGE, ...TOPOLOGIES[topology]];
  const members = await Promise.all([
    ...kinds.flatMap((role) => Array.from({ length: copies }, (_, copy) => startMember(role, copy))),
    startMember(SANDBOX, 0),
  ]);
  await putCatalog({ mongoUrl }, `${gatewayAt("front", balanced).url("media")}/api/media`);
  await createManualMarks({ dataDir: join(dataDirs, SANDBOX.name), mongoUrl }).sent.set();

  const stop = async (): Promise<void> => {
    for (const member of members) member.resume();
    await links.restoreAll();
    await Promise.all(members.map((member) => member.stop()));
    for (const front of fronts) front.close();
    await links.close();
    await nats.stop();
    await Promise.all([
      process.env.ELASTICSEARCH_URL && removeTestIndexes(`${namespace}_`),
      s3 && removeTestBucket(s3),
    ]);
  };
  try {
    await Promise.all(members.map((member) => member.start()));
  } catch (error) {
    await Promise.all(members.map((member) => member.kill()));
    // What was not made yet cannot be removed; why it was not is what counts.
    await stop().catch(() => undefined);
    throw error;
  }
  return {
    members,
    gateways: Array.from({ length: copies }, (_, copy) => gatewayAt(`edge-${copy + 1}`, portsFrom(copy))),
    nats,
    links,
    paymentSandboxUrl: `http://127.0.0.1:${sandboxPort + SANDBOX_PORTS.payment}`,
    identitySandboxUrl: `http://127.0.0.1:${sandboxPort + SANDBOX_PORTS.identity}`,
    adminToken: ADMIN_TOKEN,
    stop,
  };
}
