import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { openPassageIndex } from "../../packages/parts-search/src/passage-index/open.ts";
import type { PassageIndex } from "../../packages/parts-search/src/passage-index/port.ts";
import { elasticsearchTestPrefix, removeTestIndexes } from "../support/elasticsearch.ts";
import { mongoTestUrl } from "../support/mongo.ts";

export interface Stores {
  documents: DocumentStore;
  index: PassageIndex;
  /** And removes the indexes of Elasticsearch. */
  close(): Promise<void>;
}

/**
 * Opens what manuals are learnt into: the real engines where there are both.
 * @param suite in the names of the database and of the indexes
 */
export async function openStores(suite: string): Promise<Stores> {
  const isReal = process.env.MONGO_URL !== undefined && process.env.ELASTICSEARCH_URL !== undefined;
  const prefix = isReal ? elasticsearchTestPrefix(suite) : undefined;
  const documents = await openDocumentStore({
    dataDir: mkdtempSync(join(tmpdir(), "partline-ai-")),
    ...(prefix === undefined ? {} : { mongoUrl: mongoTestUrl(suite) }),
  });
  const index = await openPassageIndex({
    directory: mkdtempSync(join(tmpdir(), "partline-passages-")),
    synonyms: [],
    ...(prefix === undefined ? {} : { elasticsearchUrl: process.env.ELASTICSEARCH_URL!, elasticsearchPrefix: prefix }),
  });
  return {
    documents,
    index,
    close: async () => {
      await index.close();
      await documents.close();
      if (prefix !== undefined) await removeTestIndexes(prefix);
    },
  };
}
