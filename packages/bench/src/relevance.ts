/**
 * How good the order of the hits is, as a number: nDCG and reciprocal rank of the first ten, and how often nothing is
 * found, over the judged queries of `support/relevance/`, for the product's engines and for libraries on the same
 * documents; and how often what is still being typed is completed to what is meant. Elasticsearch takes part where
 * ELASTICSEARCH_URL is set. Then what shoppers type, over HTTP: the repository's set, and JUDGED_SEARCHES or the corpus
 * beside the repository. `npm run bench -- relevance [failing]` also lists the queries of the product's engines that
 * are not answered as judged. An aim that does not hold is exit code 1.
 */
import { sandboxDocuments } from "./support/index-documents.ts";
import { AIM, AIM_NUMBERS, relevanceAims } from "./support/relevance/aims.ts";
import { readFacts } from "./support/relevance/catalog-facts.ts";
import { readJudgedQueries } from "./support/relevance/judged-queries.ts";
import { CLASSES, type JudgedQuery } from "./support/relevance/make-queries.ts";
import { DEPTH } from "./support/relevance/measures.ts";
import {
  computeMean,
  scoreCompletions,
  scoreEngine,
  SUGGESTIONS,
  type Completed,
  type Scored,
} from "./support/relevance/score.ts";
import { TYPED, typedQueries } from "./support/relevance/typed-queries.ts";
import { ENGINES, type EngineName } from "./support/search-engines/engine.ts";
import { askAsShoppers, SHOPPER_SETS } from "./support/relevance/shoppers.ts";
import { startShop } from "./support/shop.ts";
import { printTable } from "./support/table.ts";

const AIM_SHOPPERS = 0.97;
/** Those that the aims are for. */
const OWN = ["embedded", "elasticsearch"] as const;

const documents = sandboxDocuments();
const queries = await readJudgedQueries(documents);
const scores = new Map<EngineName, Scored[]>();
for (const name of ENGINES) {
  if (name === "elasticsearch" && !process.env.ELASTICSEARCH_URL)
    console.log("Elasticsearch takes no part: ELASTICSEARCH_URL is not set");
  else scores.set(name, await scoreEngine(name, documents, queries));
}

for (const [title, measure] of [
  [
    `nDCG@${DEPTH} over ${documents.length} parts (aim: at least ${AIM}, ${AIM_NUMBERS} for exact numbers and their spellings)`,
    ({ ndcg }: Scored) => ndcg,
  ],
  ["Mean reciprocal rank", ({ reciprocalRank }: Scored) => reciprocalRank],
  ["Share of queries that find nothing", ({ foundIds }: Scored) => (foundIds.length === 0 ? 1 : 0)],
] as const) {
  printTable(
    title,
    ["", "queries", ...scores.keys()],
    ["all classes", ...CLASSES].map((name) => [
      name,
      String(ofClass(queries, name, (query) => query).length),
      ...[...scores.values()].map((scored) =>
        computeMean(
          ofClass(scored, name, ({ query }) => query),
          measure,
        ).toFixed(3),
      ),
    ]),
  );
}
if (process.argv[2] === "failing") for (const name of OWN) listFailing(name);
const typed = typedQueries(readFacts(documents));
const completed = new Map<EngineName, Completed[]>();
for (const name of OWN) if (scores.has(name)) completed.set(name, await scoreCompletions(name, documents, typed));
printTable(
  `Share of ${typed.length} queries that are completed to what is meant, among ${SUGGESTIONS} suggestions`,
  ["", ...completed.keys()],
  ["all", ...TYPED].map((kind) => [
    kind,
    ...[...completed.values()].map((completions) =>
      share(
        completions.filter(({ query }) => kind === "all" || query.kind === kind),
        ({ isMeant }) => isMeant,
      ).toFixed(3),
    ),
  ]),
);
for (const [name, completions] of completed)
  console.log(
    `${name}: of ${addUp(completions, ({ suggestions }) => suggestions)} suggestions ${addUp(completions, ({ empty }) => empty)} find nothing.`,
  );
console.log();
const aims = relevanceAims(OWN.flatMap((name) => (scores.has(name) ? [scores.get(name)!] : [])));
for (const { what, figure, isMet } of aims)
  console.log(`${what}: ${figure.toFixed(3)}, ${isMet ? "holds" : "does not hold"}.`);
const shoppersAimHolds = [await askShoppers("embedded"), await askShoppers("elasticsearch")].every(Boolean);
process.exitCode = aims.every(({ isMet }) => isMet) && shoppersAimHolds ? 0 : 1;

/** Prints how much of what shoppers type the engine answers right, and whether the aim holds for each set. */
async function askShoppers(engine: (typeof OWN)[number]): Promise<boolean> {
  if (!scores.has(engine)) return true;
  const NATS_NAMESPACE = `partline_test_shoppers_${Date.now()}`;
  const { ELASTICSEARCH_URL = "" } = process.env;
  const { system } = await startShop(engine === "embedded" ? undefined : { ELASTICSEARCH_URL, NATS_NAMESPACE });
  let holds = true;
  for (const { name, file } of SHOPPER_SETS) {
    const answered = await askAsShoppers(system, file);
    printTable(
      `What shoppers type, ${name}, ${engine}, judged by the first five hits (aim: ${100 * AIM_SHOPPERS} %)`,
      ["", "queries", "right"],
      [["all", answered] as const, ...Map.groupBy(answered, ({ kind }) => kind)].map(([kind, answers]) => [
        kind,
        String(answers.length),
        String(answers.filter(({ isRight }) => isRight).length),
      ]),
    );
    if (process.argv[2] === "failing")
      printTable(
        "Answered otherwise than judged",
        ["kind", "query", "found"],
        answered
          .filter(({ isRight }) => !isRight)
          .map(({ kind, query, found }) => [kind, query, found.join(" ") || "nothing"]),
      );
    const right = share(answered, ({ isRight }) => isRight);
    const isMet = right >= AIM_SHOPPERS;
    console.log(`What shoppers type, ${name}, ${engine}: ${right.toFixed(3)}, ${isMet ? "holds" : "does not hold"}.`);
    holds &&= isMet;
  }
  await system.stop();
  if (engine === "elasticsearch")
    await (await import("../../../test/support/elasticsearch.ts")).removeTestIndexes(`${NATS_NAMESPACE}_`);
  return holds;
}

function share<T>(values: readonly T[], holds: (value: T) => boolean): number {
  return values.filter(holds).length / values.length;
}

function addUp<T>(values: readonly T[], getValue: (value: T) => number): number {
  return values.reduce((sum, value) => sum + getValue(value), 0);
}

function ofClass<T>(values: readonly T[], name: string, queryOf: (value: T) => JudgedQuery): T[] {
  return values.filter((value) => name === "all classes" || queryOf(value).class === name);
}

function listFailing(name: EngineName): void {
  const failing = (scores.get(name) ?? []).filter((scored) => scored.ndcg < 1 - 1e-9);
  printTable(
    `${name}: answered otherwise than judged`,
    ["class", "query", "nDCG", "grades of the first ten", "relevant"],
    failing.map(({ query, foundIds, ndcg }) => [
      query.class,
      query.q,
      ndcg.toFixed(3),
      foundIds.map((id) => query.grades[id] ?? 0).join("") || "nothing",
      String(Object.keys(query.grades).length),
    ]),
  );
}
