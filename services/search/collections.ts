import type { Infer } from "../../broker/contract/rules.ts";
import type { CollectionDefinition, Document } from "../../mixins/document-store/port.ts";
import type { buildRule } from "./resources.ts";

/** A build of one or both indexes; `_id` is its buildId. */
export interface BuildDocument extends Document, Omit<Infer<typeof buildRule>, "buildId"> {
  /** While it runs; unique, so one runs in the cluster. */
  running?: typeof RUNNING;
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
