import { setTimeout as pause } from "node:timers/promises";
import { connect } from "../../../../parts-search/src/elasticsearch/client.ts";
import { KNOWN_FOR_MS } from "../../../../parts-search/src/search-index/elasticsearch/known-words.ts";
import type { MixedQuery } from "../generated-catalog/queries.ts";
import { removeIndexes } from "../search-engines/port.ts";
import { printTable } from "../table.ts";
import { startFilledSystem } from "./filled-system.ts";
import { clientOver, searchPath, send, type Asked } from "./http.ts";
import { computeDifference, inTurns, summarize, type Times, type Way } from "./in-turns.ts";
import { startRecorder } from "./recorder.ts";

type Request = Asked["requests"][number];

/** A search, and what the node asks of the server for it. */
interface Search {
  own: Request;
  requests: Request[];
}

const AIM_ADDED_MS = 2;
const ROUNDS = 6;
/**
 * All queries so often in each way before the first round: after some thousand searches the code of the node is
 * compiled, and the server's too.
 */
const WARM_UP_ROUNDS = 20;

/**
 * What the service adds to Elasticsearch's own time. What a node asks the server for each query is written down, once
 * its words are known to the node, as those of most queries are. Then each query is sent to the node, and what the node
 * asked to the server itself, by the client that the node has for that: Elasticsearch's own. Both answers are read.
 * There is no third way beside them: what runs between two searches takes the node's code out of the processor's
 * caches.
 */
export async function measureElasticsearch(
  elasticsearchUrl: string,
  parts: number,
  queries: readonly MixedQuery[],
): Promise<void> {
  const recorder = await startRecorder(elasticsearchUrl);
  const namespace = `bench_${process.pid}_${Date.now()}`;
  const { system, end } = await startFilledSystem(parts, {
    ELASTICSEARCH_URL: recorder.url,
    NATS_NAMESPACE: namespace,
  });
  const agent = clientOver(1);
  const client = connect(elasticsearchUrl);
  try {
    const searches: Search[] = [];
    let [first, secondCount] = [0, 0];
    for (const { query } of queries) {
      const ours = { method: "GET", url: `${system.url("search")}${searchPath(query)}` };
      recorder.take();
      await send(agent, ours);
      first += recorder.take().length;
      await send(agent, ours);
      const requests = recorder.take();
      // Its answer is kept for all.
      if (requests.length === 0) continue;
      secondCount += requests.length;
      searches.push({ own: ours, requests });
    }
    // Without the recorder between.
    await system.stop();
    system.env.ELASTICSEARCH_URL = elasticsearchUrl;
    await system.start();

    const questions = searches.map(({ requests }) => requests.map(toQuestion));
    const ways: Record<"service" | "client", Way> = {
      service: async (query) => {
        const { status, text } = await send(agent, searches[query]!.own);
        if (status !== 200) throw new Error(`Answered ${status}`);
        return JSON.parse(text) as unknown;
      },
      client: async (query) => {
        for (const question of questions[query]!) await client.transport.request(question);
      },
    };
    const round = (roundIndex: number): Promise<Times[]> => inTurns(Object.values(ways), searches.length, roundIndex);
    for (let roundIndex = 0; roundIndex < WARM_UP_ROUNDS; roundIndex += 1) await round(roundIndex);
    const rounds: Times[][] = [];
    for (let at = 0; at < ROUNDS; at += 1) {
      // All words are forgotten, and learnt again: none is forgotten in the middle of the round, which is shorter.
      await pause(KNOWN_FOR_MS);
      await inTurns([ways.service], searches.length, 0);
      rounds.push(await round(at));
    }

    const [service, clientRounds] = Object.keys(ways).map((_, way) => rounds.map((times) => times[way]!)) as [
      Times[],
      Times[],
    ];
    const aSearch = (requests: number): string => (requests / searches.length).toFixed(2);
    const [serviceRequest, server] = [summarize(service), summarize(clientRounds)];
    printTable(
      `${parts.toLocaleString("en-US")} parts on Elasticsearch, ${searches.length} of ${queries.length} searches (others are answered from what is kept), 1 connection each, query by query in turns, medians of ${ROUNDS} rounds (${aSearch(secondCount)} requests a search, ${aSearch(first)} the first time)`,
      ["", "p50 ms", "p99 ms", "failed"],
      [
        ["the service", serviceRequest.p50, serviceRequest.p99, serviceRequest.failed],
        ["what it asks of Elasticsearch, by the same client", server.p50, server.p99, server.failed],
      ],
    );
    const added = serviceRequest.p50 - server.p50;
    const toAQuery = computeDifference(service, clientRounds).toFixed(2);
    console.log(
      `\nAdded between the p50 ${added.toFixed(2)} ms, to a query at the median ${toAQuery} ms: the aim of under ${AIM_ADDED_MS} ms ${added < AIM_ADDED_MS ? "holds" : "does not hold"}.`,
    );
  } finally {
    await agent.destroy();
    await client.close();
    recorder.close();
    await end().finally(() => removeIndexes(elasticsearchUrl, namespace));
  }
}

/** A request as Elasticsearch's client takes it. */
function toQuestion({ method, url, body = "" }: Request): {
  method: string;
  path: string;
  querystring: string;
  body?: object;
  bulkBody?: object[];
} {
  const { pathname: path, search } = new URL(url);
  const lines = body
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  return {
    method,
    path,
    querystring: search.slice(1),
    ...(path.endsWith("/_msearch") ? { bulkBody: lines } : { body: lines[0]! }),
  };
}
