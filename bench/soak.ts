/**
 * `npm run soak -- MINUTES [faults|rolling|steady] [VISITS A SECOND]`: a cluster with each service twice under load, as test/support/cluster/ has it.
 * faults: every kind of process and every server is taken away in turn, until the time is over. rolling: every process is stopped and started again, one
 * after another, as for an upgrade. steady: nothing is taken away, visits begin at a fixed rate, and memory and answer times are told.
 * History, samples and verdict are written to files of a new directory, which is named first.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { beginCampaign, printVerdict, type Campaign } from "../test/support/cluster/campaign.ts";
import { startCluster, type Cluster } from "../test/support/cluster/cluster.ts";
import { killsFeltTooMuch } from "../test/support/cluster/fault-figures.ts";
import { allFaults, inflict, restarted, type Fault } from "../test/support/cluster/faults.ts";
import { startAtRate, startClients } from "../test/support/cluster/load.ts";
import { startSampling } from "./support/soak/samples.ts";
import { printGrowth, printTimes } from "./support/soak/report.ts";

const MODES = ["faults", "rolling", "steady"] as const;
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
if (!(minutes > 0) || !(rate > 0) || !(MODES as readonly string[]).includes(modeGiven)) throw new Error(`Usage: npm run soak -- MINUTES [${MODES.join("|")}] [VISITS A SECOND, steady only: 2 unless given]`);
const mode = modeGiven as Mode;

// What it started ends with it.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const directory = mkdtempSync(join(tmpdir(), "partline-soak-"));
console.log(`History, samples and verdict: ${directory}`);
const cluster = await startCluster({ topology: "full", cuttable: mode === "faults" });
try {
  const campaign = await beginCampaign(cluster, directory);
  const isGood = mode === "steady" ? await steady(cluster, campaign) : await disturbed(cluster, campaign, mode);
  process.exitCode = isGood ? 0 : 1;
} finally {
  await cluster.stop();
}
process.exit();

async function steady(running: Cluster, { balancer, shop, history, end }: Campaign): Promise<boolean> {
  const samples = startSampling(running.members, join(directory, "samples.ndjson"));
  let overloads = 0;
  const load = startAtRate(rate, balancer, shop, history, () => (overloads += 1));
  await delay(minutes * 60_000);
  await load.stop();
  const taken = await samples.stop();
  const verdict = await end(SETTLE_MS);
  printVerdict(verdict);
  printTimes(history.operations());
  const isFlat = printGrowth(taken, minutes);
  const failed = verdict.refused + verdict.unknown;
  console.log(`\nErrors: ${failed}; visits that could not begin because too many were under way: ${overloads}`);
  return verdict.ok && isFlat && failed === 0 && overloads === 0;
}

async function disturbed(running: Cluster, { balancer, shop, history, end }: Campaign, how: "faults" | "rolling"): Promise<boolean> {
  const load = startClients(balancer, shop, history);
  await delay(WARM_UP_MS);
  const faults: Fault[] = how === "faults" ? allFaults(running) : running.members.filter(({ role }) => role !== "sandbox").map(restarted);
  const until = Date.now() + minutes * 60_000;
  for (let n = 0; Date.now() < until || (how === "rolling" && n % faults.length > 0); n++) {
    const { name, target, at, until: over } = await inflict(faults[n % faults.length]!, history);
    console.log(`${new Date(at).toISOString()} ${name} of ${target}, ${Math.round(over - at)} ms`);
    await delay(how === "faults" ? BETWEEN_FAULTS_MS : 1_000);
  }
  await load.stop();
  const verdict = await end(SETTLE_MS);
  printVerdict(verdict);
  printTimes(history.operations());
  // An upgrade is felt by nobody. What is killed is felt by what was in flight on it, and what is whole is not felt at all.
  const felt = how === "rolling"
    ? Object.keys(verdict.failedRequests).length + verdict.refused + verdict.unknown
    : killsFeltTooMuch(verdict.faults, running.members).length + Object.keys(verdict.failedOutsideFaults).length;
  return verdict.ok && felt === 0;
}
