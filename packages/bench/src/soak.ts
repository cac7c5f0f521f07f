/**
 * `npm run soak -- MINUTES [faults|hosts|servers|rolling|steady] [VISITS A SECOND]`: a cluster with each service twice
 * under load, as packages/bench/src/support/cluster/ has it. faults: every kind of process and every server is taken
 * away in turn, until the time is over. hosts: each kind of process is cut off from NATS and MongoDB, gets a fifth of
 * its processor, has a wrong clock, and NATS has no quorum. servers: only the servers, each at least once. The engines
 * are restarted by the scripts of the folder STACK_SCRIPTS (`down NAME`, `up NAME`); without it, the ways to them are
 * cut for some seconds. rolling: every process is stopped and started again, one after another, as for an upgrade;
 * with SOAK_FROM, a checkout of another version with its packages, they begin with that one. steady: nothing is taken
 * away, visits begin at a fixed rate, and memory and answer times are reported. History, samples and verdict are
 * written to files of a new directory, which is named first. Exits 1 where an aim (packages/bench/README.md) is
 * missed.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { beginCampaign, printVerdict, type Campaign } from "./support/cluster/campaign.ts";
import { startCluster, type Cluster } from "./support/cluster/cluster.ts";
import { allFaults, listHostFaults, inflict, restarted, serverFaults, type Fault } from "./support/cluster/faults.ts";
import type { Cuttable } from "./support/cluster/links.ts";
import { startAtRate, startClients } from "./support/cluster/load.ts";
import { startSampling } from "./support/soak/samples.ts";
import { printGrowth, printTimes } from "./support/soak/report.ts";

const MODES = ["faults", "hosts", "servers", "rolling", "steady"] as const;
type Mode = (typeof MODES)[number];

/** Between two faults; longer than a node that fell silent counts as there. */
const BETWEEN_FAULTS_MS = 20_000;
/** Load before the first. */
const WARM_UP_MS = 10_000;
/** For what is under way at the end: the payment provider's own pauses between tries are up to two minutes. */
const SETTLE_MS = 300_000;

const [minutesGiven, modeGiven = "faults", rateGiven = "2"] = process.argv.slice(2);
const minutes = Number(minutesGiven);
const rate = Number(rateGiven);
if (!(minutes > 0) || !(rate > 0) || !(MODES as readonly string[]).includes(modeGiven))
  throw new Error(`Usage: npm run soak -- MINUTES [${MODES.join("|")}] [VISITS A SECOND, steady only: 2 unless given]`);
const mode = modeGiven as Mode;

const stackScripts = process.env.STACK_SCRIPTS ? resolve(process.env.STACK_SCRIPTS) : undefined;

let campaign: Campaign | undefined;
// What it started ends with it.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    campaign?.breakOff(signal);
    process.exit(1);
  });
}

const enginesCut = stackScripts === undefined ? "all" : "nats";
const cuttableIn: Record<Mode, Cuttable> = {
  ...{ faults: enginesCut, servers: enginesCut },
  ...{ hosts: "all", rolling: "none", steady: "none" },
};
const directory = mkdtempSync(join(tmpdir(), "partline-soak-"));
console.log(`History, samples and verdict: ${directory}`);
const cluster = await startCluster({
  topology: "full",
  ...(mode === "rolling" && process.env.SOAK_FROM ? { from: resolve(process.env.SOAK_FROM) } : {}),
  cuttable: cuttableIn[mode],
});
try {
  campaign = await beginCampaign(cluster, directory);
  const isGood = mode === "steady" ? await steady(cluster, campaign) : await disturbed(cluster, campaign, mode);
  process.exitCode = isGood ? 0 : 1;
} catch (error) {
  campaign?.breakOff(error);
  throw error;
} finally {
  await campaign?.close();
  await cluster.stop();
}
process.exit();

async function steady(running: Cluster, { balancer, shop, history, underLoad, end }: Campaign): Promise<boolean> {
  const samples = startSampling(running.members, join(directory, "samples.ndjson"));
  let overloads = 0;
  const load = underLoad(startAtRate(rate, balancer, shop, history, () => (overloads += 1)));
  await delay(minutes * 60_000);
  await load.stop();
  const sampleList = await samples.stop();
  const verdict = await end(SETTLE_MS);
  printVerdict(verdict);
  printTimes(history.operations());
  const isFlat = printGrowth(sampleList, minutes);
  const failed = verdict.refused + verdict.unknown;
  // An error that a client's next try hid is one all the same.
  const failedRequests = sumCounts(verdict.failedRequests);
  console.log(
    `\nErrors: ${failed}; requests that failed, with those that were tried again: ${failedRequests}; visits that could not begin because too many were under way: ${overloads}`,
  );
  return verdict.ok && isFlat && failed + failedRequests + overloads === 0;
}

async function disturbed(
  running: Cluster,
  { balancer, shop, history, underLoad, end }: Campaign,
  how: Exclude<Mode, "steady">,
): Promise<boolean> {
  if (how === "faults" || how === "servers")
    console.log(
      stackScripts === undefined
        ? "Engines: the ways to them are cut, as STACK_SCRIPTS is not set"
        : `Engines: restarted by ${stackScripts}`,
    );
  const load = underLoad(startClients(balancer, shop, history));
  await delay(WARM_UP_MS);
  const faults: Record<typeof how, () => Fault[]> = {
    faults: () => allFaults(running, stackScripts),
    hosts: () => listHostFaults(running),
    servers: () => serverFaults(running, stackScripts),
    rolling: () => running.members.filter(({ role }) => role !== "sandbox").map(restarted),
  };
  const inTurn = faults[how]();
  const until = Date.now() + minutes * 60_000;
  for (let n = 0; Date.now() < until || (how !== "faults" && n % inTurn.length > 0); n++) {
    const { name, target, at, until: over } = await inflict(inTurn[n % inTurn.length]!, history);
    console.log(`${new Date(at).toISOString()} ${name} of ${target}, ${Math.round(over - at)} ms`);
    await delay(how === "rolling" ? 1_000 : BETWEEN_FAULTS_MS);
  }
  await load.stop();
  const verdict = await end(SETTLE_MS);
  printVerdict(verdict);
  printTimes(history.operations());
  // An upgrade is felt by nobody; and without a fault nothing fails, though it may be slow.
  const felt =
    how === "rolling"
      ? sumCounts(verdict.failedRequests) + verdict.refused + verdict.unknown
      : sumCounts(verdict.failedOutsideFaults);
  return verdict.ok && felt === 0;
}

function sumCounts(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
