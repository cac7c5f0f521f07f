import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { beginCampaign, printVerdict, type Campaign } from "../support/cluster/campaign.ts";
import { startCluster, type Cluster } from "../support/cluster/cluster.ts";
import { inflict, killed, natsNodeKilled, restarted } from "../support/cluster/faults.ts";
import { startClients } from "../support/cluster/load.ts";
import { eventually } from "../support/eventually.ts";
import { NATS_SERVER } from "../support/nats-server.ts";

const SETTLES_WITHIN_MS = 60_000;

const canRun = NATS_SERVER && process.env.MONGO_URL && process.env.ELASTICSEARCH_URL && process.env.S3_ENDPOINT;

// The long run, with every fault, is `npm run soak`.
(canRun ? describe : describe.skip)("A cluster with each service twice", () => {
  let cluster: Cluster;
  let campaign: Campaign;
  // What tests write elsewhere goes with the run.
  const directory = fileURLToPath(new URL("../../data/cluster-run", import.meta.url));
  beforeAll(async () => {
    cluster = await startCluster({ topology: "small", cuttable: false });
    campaign = await beginCampaign(cluster, directory);
  }, 120_000);
  afterAll(() => cluster?.stop(), 60_000);

  it("turns nobody away while it is restarted, loses nothing that it acknowledged, and does nothing twice, while parts of it die and are replaced", async () => {
    const { balancer, shop, history } = campaign;
    const the = (name: string) => cluster.members.find((member) => member.name === name)!;
    const load = startClients(balancer, shop, history);
    const bought = (count: number) => eventually(() => history.operations().filter(({ type, result }) => type === "order.read" && result === "ok").length >= count, 60_000);
    await bought(3);
    for (const name of ["edge-1", "shop-1"]) await inflict(restarted(the(name)), history);
    // What is slow under them (504) is none of theirs.
    const turnedAway = history.operations().flatMap(({ type, attempts }) => attempts.filter(({ status, error }) => error !== undefined || status === 503).map(({ status, error }) => `${type}: ${error ?? status}`));
    await inflict(killed(the("shop-2")), history);
    await inflict(natsNodeKilled(cluster, 1, 1_000), history);
    await bought(6);
    await load.stop();

    const verdict = await campaign.end(SETTLES_WITHIN_MS);
    process.stdout.write(`History and verdict: ${directory}\n`);
    printVerdict(verdict);
    expect(turnedAway).toEqual([]);
    expect(verdict.violations).toEqual([]);
    expect(verdict.faults).toHaveLength(4);
    for (const type of ["cart.add", "pay", "event.append", "document.store", "manual.upload"] as const) expect(verdict.acknowledged[type]).toBeGreaterThan(0);
  }, 240_000);
});
