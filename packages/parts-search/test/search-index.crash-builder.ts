import { openSearchIndex, type SearchIndexOptions } from "../src/search-index/open.ts";
import { part, PARTS } from "./search-index.documents.ts";

/**
 * A process that fills a live index and then builds another until it is killed; it prints a line for each batch that is
 * in. Argument: where the index is, as JSON.
 */
const index = await openSearchIndex({
  directory: "",
  synonyms: [],
  ...(JSON.parse(process.argv[2]!) as Partial<SearchIndexOptions>),
});
await index.write({ documents: [...PARTS], progress: { BNS: 6 } });
const build = await index.startBuild(["parts", "tires"]);
for (let batch = 0; ; batch += 1) {
  const documents = Array.from({ length: 500 }, (_, n) => part("BNS", `B${batch * 500 + n}`, "Muffler of the build"));
  await build.add({ documents, progress: { BNS: batch } });
  process.stdout.write(`${batch}\n`);
}
