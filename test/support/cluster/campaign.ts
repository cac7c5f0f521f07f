import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../eventually.ts";
import { Balancer } from "./balancer.ts";
import { createShop, type PartToBuy, type Shop } from "./clients/shop.ts";
import type { Cluster } from "./cluster.ts";
import { History } from "./history.ts";
import { readFinalState } from "./read-final-state.ts";
import { judge, type Verdict } from "./verdict.ts";

/** Everything that a run needs beside its cluster. */
export interface Campaign {
  balancer: Balancer;
  shop: Shop;
  history: History;
  /** Reads what there is, once all is whole again and nothing is under way, and writes and answers the verdict. */
  end(withinMs: number): Promise<Verdict>;
}

/** @param directory gets history.ndjson, final-state.json, verdict.json and what the processes printed */
export async function beginCampaign(cluster: Cluster, directory: string): Promise<Campaign> {
  mkdirSync(directory, { recursive: true });
  const history = new History(join(directory, "history.ndjson"));
  const balancer = new Balancer(cluster.gateways);
  const shop = createShop({ parts: await partsOf(cluster), adminToken: cluster.adminToken, identityUrl: cluster.identitySandboxUrl, history });
  return {
    balancer,
    shop,
    history,
    end: async (withinMs) => {
      balancer.close();
      const final = await readFinalState({ gateway: cluster.gateways[0]!, paymentSandboxUrl: cluster.paymentSandboxUrl, adminToken: cluster.adminToken }, history.operations(), withinMs);
      const verdict = judge(history.entries, final);
      await history.close();
      writeFileSync(join(directory, "final-state.json"), JSON.stringify(final));
      writeFileSync(join(directory, "verdict.json"), `${JSON.stringify(verdict, undefined, 2)}\n`);
      for (const { name, output } of cluster.members) writeFileSync(join(directory, `${name}.txt`), output);
      return verdict;
    },
  };
}

/** What clients buy. The index is filled a moment after the catalog. */
async function partsOf({ gateways }: Cluster): Promise<PartToBuy[]> {
  return eventually(async () => {
    const answer = await fetch(`${gateways[0]!.url("gateway")}/api/search?q=carburetor&limit=20&minPrice=5`);
    const { parts } = (await answer.json()) as { parts?: (PartToBuy & { status: string })[] };
    const sold = (parts ?? []).filter(({ status }) => status === "active");
    return sold.length > 3 && sold.map(({ productId, partNumber, title, unitPrice }) => ({ productId, partNumber, title, unitPrice }));
  }, 60_000);
}

export function printVerdict({ ok, violations, acknowledged, refused, unknown, found, faults, failedOutsideFaults, failedRequests, unfinished }: Verdict): void {
  const lines = [
    `Verdict: ${ok ? "whole" : `BROKEN, ${violations.length} violations, ${unfinished.length} not ended`}`,
    ...violations.slice(0, 20).map(({ check, about, message }) => `  ${check}: ${about} ${message}`),
    `  Acknowledged: ${list(acknowledged)}; refused ${refused}, unknown ${unknown}`,
    `  Found: ${list(found)}`,
    ...faults.map(({ name, target, lasted, operations, failed, failedReads, failedInFlight, failedLater, failingFor, failures }) =>
      `  ${name} of ${target} (${lasted} ms): ${failed} of ${operations} failed${failed === 0 ? "" : `, ${failedInFlight} of them in flight, ${failedReads} reads after a retry, for ${failingFor} ms: ${list(failures)}`}${failedLater.length === 0 ? "" : `; LATER: ${failedLater.join(", ")}`}`),
    `  Failed outside of faults: ${list(failedOutsideFaults) || "none"}; requests that failed before their client's next try: ${list(failedRequests) || "none"}`,
    ...(unfinished.length === 0 ? [] : [`  Not ended: ${unfinished.slice(0, 20).join(", ")}`]),
  ];
  process.stdout.write(`\n${lines.join("\n")}\n`);
}

function list(counts: Record<string, number | undefined>): string {
  return Object.entries(counts).map(([name, count]) => `${name} ${count}`).join(", ");
}
