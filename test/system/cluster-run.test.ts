import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { beginCampaign, printVerdict, type Campaign } from "../../packages/bench/src/support/cluster/campaign.ts";
import { startCluster, type Cluster } from "../../packages/bench/src/support/cluster/cluster.ts";
import { hung, inflict, killed, natsNodeKilled, restarted } from "../../packages/bench/src/support/cluster/faults.ts";
import { startClients } from "../../packages/bench/src/support/cluster/load.ts";
import { eventually } from "../support/eventually.ts";
import { NATS_SERVER } from "../support/nats-server.ts";

/**
 * What a killed process was writing stays locked for MongoDB's transactionLifetimeLimitSeconds, a minute unless set;
 * who needs it comes back later still.
 */
const SETTLES_WITHIN_MS = 150_000;
/** Of each kind: the processes share this machine with the suites beside. */
const MOST_CLIENTS = 2;
/** Longer than the six seconds after which a silent process is taken for gone. */
const HANGS_MS = 8_000;
/**
 * Of all requests that may run out of time without a fault, as the suites beside take the processors. A process that
 * answers nothing takes more with it.
 */
const MOST_SLOW = 0.1;

const canRun = NATS_SERVER && process.env.MONGO_URL && process.env.ELASTICSEARCH_URL && process.env.S3_ENDPOINT;

// The long run, with every fault, is `npm run soak`.
(canRun ? describe : describe.skip)("A cluster with each service twice", () => {
  let cluster: Cluster | undefined;
  let campaign: Campaign | undefined;
  // What tests write elsewhere goes with the run.
  const directory = fileURLToPath(new URL("../../data/cluster-run", import.meta.url));
  beforeAll(async () => {
    cluster = await startCluster({ topology: "small", cuttable: "none" });
    campaign = await beginCampaign(cluster, directory);
  });
  afterAll(async () => {
    await campaign?.close();
    await cluster?.stop();
  });

  it("turns nobody away while it is restarted, loses nothing that it acknowledged, and does nothing twice, while parts of it die, hang and are replaced", async () => {
    const running = cluster!;
    const { balancer, shop, history, underLoad, end } = campaign!;
    const the = (name: string) => running.members.find((member) => member.name === name)!;
    const load = underLoad(startClients(balancer, shop, history, MOST_CLIENTS));
    const bought = () =>
      history.operations().filter(({ type, result }) => type === "order.read" && result === "ok").length;
    const twoMoreBought = (before = bought()) => eventually(() => bought() >= before + 2, 90_000);
    await twoMoreBought();
    // The other of each kind goes on.
    await Promise.all(["edge-1", "shop-1"].map((name) => inflict(restarted(the(name)), history)));
    await inflict(natsNodeKilled(running, 1, 1_000), history);
    await inflict(hung(the("shop-1"), HANGS_MS), history);
    await inflict(killed(the("edge-2")), history);
    // The last, as what it was writing stays locked.
    await inflict(killed(the("shop-2")), history);
    await twoMoreBought();
    await load.stop();

    const verdict = await end(SETTLES_WITHIN_MS);
    process.stdout.write(`History and verdict: ${directory}\n`);
    printVerdict(verdict);
    expect(verdict.violations).toEqual([]);
    expect(verdict.broken).toEqual([]);
    expect(verdict.unfinished).toEqual([]);
    expect(verdict.slowRequests / verdict.requests).toBeLessThan(MOST_SLOW);
    expect(verdict.faults.map(({ name, target }) => `${name} ${target}`).sort()).toEqual([
      "SIGSTOP shop-1",
      "SIGTERM edge-1",
      "SIGTERM shop-1",
      "kill -9 NATS server 2",
      "kill -9 edge-2",
      "kill -9 shop-2",
    ]);
    for (const type of ["cart.add", "pay", "event.append", "document.store", "manual.upload"] as const)
      expect(verdict.acknowledged[type]).toBeGreaterThan(0);
  }, 450_000);
});
