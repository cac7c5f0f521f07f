import type { CollectionDefinition, Document } from "../../mixins/document-store/port.ts";
import type { LogicalIndex } from "../../mixins/search-index/port.ts";

/** A build of one or both indexes; `_id` is its buildId. */
export interface BuildDocument extends Document {
  status: "running" | "published" | "refused" | "failed";
  /** While it runs; unique, so one runs in the cluster. */
  running?: typeof RUNNING;
  indexes: { index: LogicalIndex; name: string | null; sent: number }[];
  force: boolean;
  reason: string | null;
  startedAt: Date;
  finishedAt: Date | null;
  expiresAt: Date;
}

export const RUNNING = "search";

export const BUILDS: CollectionDefinition = {
  name: "search_builds",
  fields: { status: "string", running: "string", startedAt: "date", finishedAt: "date", expiresAt: "date" },
  indexes: [{ keys: { running: 1 }, unique: true }],
  expires: "expiresAt",
};

/** What an operator has set in place of a language's synonyms; `_id` is the language. */
export interface SynonymsDocument extends Document {
  lines: string[];
}

export const SYNONYMS: CollectionDefinition = { name: "search_synonyms" };
