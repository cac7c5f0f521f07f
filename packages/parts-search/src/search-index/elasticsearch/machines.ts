import type { Client, estypes } from "@elastic/elasticsearch";
import { PROMPT } from "../../elasticsearch/client.ts";
import type { CatalogMachine } from "../fits.ts";
import { readManufacturer } from "./mapping.ts";

const AT_ONCE = 10_000;

interface Pairs {
  after_key?: Record<string, string>;
  buckets: { key: { name: string; maker: string } }[];
}

/** Lists the machines. If a machine has parts of several makers, the first is its maker. */
export async function listMachines(client: Client, index: string): Promise<CatalogMachine[]> {
  const machines = new Map<string, CatalogMachine>();
  const sources: estypes.AggregationsCompositeAggregation["sources"] = [
    { name: { terms: { field: "fits" } } },
    { maker: { terms: { field: "search.manufacturerFacet" } } },
  ];
  for (let after: Record<string, string> | undefined; ;) {
    const composite = { size: AT_ONCE, sources, ...(after && { after }) };
    const answer = await client.search(
      { index, size: 0, track_total_hits: false, aggs: { pairs: { composite } } },
      PROMPT,
    );
    const pairs = answer.aggregations?.["pairs"] as unknown as Pairs;
    for (const { key } of pairs.buckets)
      if (!machines.has(key.name)) machines.set(key.name, { name: key.name, maker: readManufacturer(key.maker).label });
    after = pairs.after_key;
    if (after === undefined || pairs.buckets.length < AT_ONCE) return [...machines.values()];
  }
}
