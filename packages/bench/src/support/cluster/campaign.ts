import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../../../../../test/support/eventually.ts";
import { Balancer } from "./balancer.ts";
import { createShop, type PartToBuy, type Shop } from "./clients/shop.ts";
import type { Cluster } from "./cluster.ts";
import { History } from "./history.ts";
import type { Load } from "./load.ts";
import { addReceiver } from "./receiver.ts";
import { readFinalState } from "./read-final-state.ts";
import { timeoutsIn } from "./timeouts.ts";
import { EDGE } from "./topology.ts";
import { judge, type Verdict } from "./verdict.ts";

/** Everything that a run needs beside its cluster. */
export interface Campaign {
  balancer: Balancer;
  shop: Shop;
  history: History;
  /** The run's clients, which `close` stops. */
  underLoad(load: Load): Load;
  /** Reads what there is, once all is whole again and nothing is under way, and writes and answers the verdict. */
  end(withinMs: number): Promise<Verdict>;
  /**
   * Where the run broke off before its verdict, writes that in its place; at once, so that a process that ends may do
   * so.
   */
  breakOff(reason: unknown): void;
  /** Ends all that is still under way. */
  close(): Promise<void>;
}

/**
 * @param directory is emptied, and gets history.ndjson, final-state.json, verdict.json and what the processes printed
 */
export async function beginCampaign(cluster: Cluster, directory: string): Promise<Campaign> {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const shop = {
    parts: await fetchParts(cluster),
    adminToken: cluster.adminToken,
    identityUrl: cluster.identitySandboxUrl,
    paymentUrl: cluster.paymentSandboxUrl,
  };
  const receiver = await addReceiver(cluster);
  const history = new History(join(directory, "history.ndjson"));
  const balancer = new Balancer(cluster.gateways);
  const loads: Load[] = [];
  let isJudged = false;
  const write = (verdict: Verdict | { ok: false; brokenOff: string }): void => {
    isJudged = true;
    history.close();
    writeFileSync(join(directory, "verdict.json"), `${JSON.stringify(verdict, undefined, 2)}\n`);
    for (const { name, output } of cluster.members) writeFileSync(join(directory, `${name}.txt`), output);
  };
  const breakOff = (reason: unknown): void => {
    if (!isJudged) write({ ok: false, brokenOff: String(reason) });
  };
  return {
    balancer,
    shop: createShop({ ...shop, history }),
    history,
    underLoad: (load) => {
      loads.push(load);
      return load;
    },
    end: async (withinMs) => {
      const system = {
        gateway: cluster.gateways[0]!,
        paymentSandboxUrl: cluster.paymentSandboxUrl,
        adminToken: cluster.adminToken,
        receiver,
      };
      const final = await readFinalState(system, history.operations(), withinMs).catch((error: unknown) => {
        breakOff(error);
        throw error;
      });
      writeFileSync(join(directory, "final-state.json"), JSON.stringify(final));
      const outputs = (isGateway: boolean) =>
        cluster.members.filter(({ role }) => (role === EDGE.name) === isGateway).map(({ output }) => output);
      const verdict = judge(history.entries, final, timeoutsIn({ gateways: outputs(true), others: outputs(false) }));
      write(verdict);
      return verdict;
    },
    breakOff,
    close: async () => {
      breakOff("The run ended before its verdict");
      balancer.close();
      await receiver.close();
      await Promise.allSettled(loads.map((load) => load.stop()));
    },
  };
}

/** Finds what clients buy. The index is filled a moment after the catalog. */
async function fetchParts({ gateways }: Cluster): Promise<PartToBuy[]> {
  return eventually(async () => {
    const answer = await fetch(`${gateways[0]!.url("gateway")}/api/search?q=carburetor&limit=20&minPrice=5`);
    const { parts } = (await answer.json()) as { parts?: (PartToBuy & { status: string })[] };
    const sold = (parts ?? []).filter(({ status }) => status === "active");
    return (
      sold.length > 3 &&
      sold.map(({ productId, partNumber, title, unitPrice }) => ({ productId, partNumber, title, unitPrice }))
    );
  }, 60_000);
}

export function printVerdict(verdict: Verdict): void {
  const {
    ok,
    violations,
    broken,
    acknowledged,
    refused,
    unknown,
    found,
    faults,
    failedOutsideFaults,
    requests,
    slowRequests,
    failedRequests,
    unfinished,
  } = verdict;
  const lines = [
    `Verdict: ${ok ? "whole" : `BROKEN, ${violations.length} violations, ${broken.length} failures that should not be, ${unfinished.length} not ended`}`,
    ...violations.slice(0, 20).map(({ check, about, message }) => `  ${check}: ${about} ${message}`),
    ...broken.slice(0, 20).map((what) => `  ${what}`),
    `  Acknowledged: ${list(acknowledged)}; refused ${refused}, unknown ${unknown}`,
    `  Found: ${list(found)}`,
    ...faults.map(
      ({ name, target, lasted, operations, failed, failedInFlight, failingFor, failures }) =>
        `  ${name} of ${target} (${lasted} ms): ${failed} of ${operations} failed${failed === 0 ? "" : `, ${failedInFlight} of them in flight, for ${failingFor} ms: ${list(failures)}`}`,
    ),
    `  Failed outside of faults: ${list(failedOutsideFaults) || "none"}; of ${requests} requests ${slowRequests} ran out of time without a fault`,
    `  Requests that failed, whether or not their client's next try did: ${list(failedRequests) || "none"}`,
    ...(unfinished.length === 0 ? [] : [`  Not ended: ${unfinished.slice(0, 20).join(", ")}`]),
  ];
  process.stdout.write(`\n${lines.join("\n")}\n`);
}

function list(counts: Record<string, number | undefined>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}
