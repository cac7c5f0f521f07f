import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { beginCampaign, printVerdict, type Campaign } from "../support/cluster/campaign.ts";
import { startCluster, type Cluster } from "../support/cluster/cluster.ts";
import { killsFeltTooMuch } from "../support/cluster/fault-figures.ts";
import { inflict, killed, natsNodeKilled, restarted } from "../support/cluster/faults.ts";
import { startClients } from "../support/cluster/load.ts";
import { eventually } from "../support/eventually.ts";
import { NATS_SERVER } from "../support/nats-server.ts";

/** What a killed process was writing stays locked for MongoDB's transactionLifetimeLimitSeconds, a minute unless set; who needs it comes back later still. */
const SETTLES_WITHIN_MS = 150_000;
/** Of each kind: the processes share this machine with the suites beside. */
const MOST_CLIENTS = 2;

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
    const load = startClients(balancer, shop, history, MOST_CLIENTS);
    const bought = () => history.operations().filter(({ type, result }) => type === "order.read" && result === "ok").length;
    const twoMoreBought = (before = bought()) => eventually(() => bought() >= before + 2, 90_000);
    await twoMoreBought();
    // The other of each kind goes on.
    await Promise.all(["edge-1", "shop-1"].map((name) => inflict(restarted(the(name)), history)));
    const failedTries = () => history.operations().flatMap(({ type, attempts }) => attempts.filter(({ status, error }) => error !== undefined || status! >= 500).map(({ status, error }) => `${type}: ${error ?? status}`));
    const timedOut = (failure: string) => failure.endsWith(": 504");
    // What is slow under them (504) is none of theirs.
    const turnedAway = failedTries().filter((failure) => !timedOut(failure));
    const isTooSlow = failedTries().some(timedOut);
    await inflict(natsNodeKilled(cluster, 1, 1_000), history);
    // The last: what fails from then on is its own.
    await inflict(killed(the("shop-2")), history);
    await twoMoreBought();
    await load.stop();

    const verdict = await campaign.end(SETTLES_WITHIN_MS);
    process.stdout.write(`History and verdict: ${directory}\n`);
    printVerdict(verdict);
    expect(turnedAway).toEqual([]);
    expect(verdict.violations).toEqual([]);
    expect(verdict.unfinished).toEqual([]);
    // A machine on which requests run out of time without a fault tells nothing of those that do after one.
    if (!isTooSlow) expect(killsFeltTooMuch(verdict.faults, cluster.members)).toEqual([]);
    expect(verdict.faults).toHaveLength(4);
    for (const type of ["cart.add", "pay", "event.append", "document.store", "manual.upload"] as const) expect(verdict.acknowledged[type]).toBeGreaterThan(0);
  }, 420_000);
});
