import { Agent } from "node:http";
import type { MixedQuery } from "../generated-catalog/queries.ts";
import { removeIndexes } from "../search-engines/port.ts";
import { median } from "../statistics.ts";
import { printTable } from "../table.ts";
import { startFilledSystem } from "./filled-system.ts";
import { askAll, askInTurns, searchPath, send, type Asked } from "./http.ts";
import { percentiles } from "./latencies.ts";
import { startRecorder } from "./recorder.ts";

const AIM_ADDED_MS = 2;
const ROUNDS = 6;
/** All queries so often before the first round: after some thousand searches the code of the node is compiled, and the server's too. */
const WARM_UP_ROUNDS = 20;
const SIDES = ["the service", "what it asks of Elasticsearch"] as const;
type Side = (typeof SIDES)[number];

/**
 * What the service adds to Elasticsearch's own time. What a node asks the server for each query is written down, once its words
 * are known to the node, as those of most queries are; then the same client sends each query to the node, and what the node asked
 * to the server itself, one right after the other: a machine that is slower for a second is so for both. Before each round all
 * queries are asked once, so that their words are known again.
 */
export async function measureElasticsearch(elasticsearchUrl: string, parts: number, queries: readonly MixedQuery[]): Promise<void> {
  const recorder = await startRecorder(elasticsearchUrl);
  const namespace = `bench_${process.pid}_${Date.now()}`;
  const { system, end } = await startFilledSystem(parts, { ELASTICSEARCH_URL: recorder.url, NATS_NAMESPACE: namespace });
  try {
    const agent = new Agent({ keepAlive: true });
    const asked: Record<Side, Asked[]> = { "the service": [], "what it asks of Elasticsearch": [] };
    let [first, again] = [0, 0];
    for (const { kind, query } of queries) {
      const own = { method: "GET", url: `${system.url("search")}${searchPath(query)}` };
      recorder.take();
      await send(agent, own);
      first += recorder.take().length;
      await send(agent, own);
      const requests = recorder.take();
      // Its answer is kept for all.
      if (requests.length === 0) continue;
      again += requests.length;
      asked["the service"].push({ kind, requests: [own] });
      asked["what it asks of Elasticsearch"].push({ kind, requests });
    }
    agent.destroy();
    // Without the recorder between.
    await system.stop();
    system.env.ELASTICSEARCH_URL = elasticsearchUrl;
    await system.start();

    const rounds: { side: Side; p50: number; p99: number; failed: number }[] = [];
    const differences: number[] = [];
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) for (const side of SIDES) await askAll(asked[side], 1);
    for (let round = 0; round < ROUNDS; round += 1) {
      await askAll(asked["the service"], 1);
      const answered = await askInTurns(SIDES.map((side) => asked[side]), round % 2);
      for (const [at, { timed, failed }] of answered.entries()) rounds.push({ side: SIDES[at]!, failed, ...percentiles(timed) });
      if (answered.some(({ failed }) => failed > 0)) continue;
      const [service, server] = answered.map(({ timed }) => timed);
      differences.push(median(service!.map(({ milliseconds }, at) => milliseconds - server![at]!.milliseconds)));
    }
    const of = (side: Side, figure: "p50" | "p99"): number => median(rounds.filter((each) => each.side === side).map((each) => each[figure]));
    const searches = asked["the service"].length;
    const aSearch = (requests: number): string => (requests / searches).toFixed(2);
    printTable(
      `${parts.toLocaleString("en-US")} parts on Elasticsearch, ${searches} of ${queries.length} searches (others are answered from what is kept), 1 connection each, query by query in turns, medians of ${ROUNDS} rounds (${aSearch(again)} requests a search, ${aSearch(first)} the first time)`,
      ["", "p50 ms", "p99 ms", "failed"],
      SIDES.map((side) => [side, of(side, "p50"), of(side, "p99"), rounds.filter((each) => each.side === side).reduce((sum, { failed }) => sum + failed, 0)]),
    );
    const added = of("the service", "p50") - of("what it asks of Elasticsearch", "p50");
    console.log(
      `\nAdded between the p50 ${added.toFixed(2)} ms, to a query at the median ${median(differences).toFixed(2)} ms: the aim of under ${AIM_ADDED_MS} ms ${added < AIM_ADDED_MS ? "holds" : "does not hold"}.`,
    );
  } finally {
    recorder.close();
    await end().finally(() => removeIndexes(elasticsearchUrl, namespace));
  }
}
