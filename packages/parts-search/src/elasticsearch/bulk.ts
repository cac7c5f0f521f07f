import { setTimeout as pause } from "node:timers/promises";
import type { Client, estypes } from "@elastic/elasticsearch";
import { createError, hasNoRoom, IndexGoneError, createUnavailable } from "./errors.ts";

/** Source: specification, "search index bulk load". */
const BULK = 2_000;
const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 100;
/** How long the server waits for a shard that cannot be written to. */
const SHARD_TIMEOUT = "3s";
const NAMED = 10;

export interface BulkItem {
  /** An index, or an alias of one. */
  index: string;
  id: string;
  /** An older write never replaces a newer one, in any order of arrival. */
  version?: number;
  /** Undefined deletes. */
  source?: object;
}

/**
 * Writes everything; repeats what the server has no room for after a growing pause.
 * @param options.requireAlias the names are aliases: a missing one is an error, while the server would create an
 * index of that name
 * @throws UNAVAILABLE when the server stays overloaded; an Error with the ids that it refuses
 */
export async function writeAll(
  client: Client,
  items: readonly BulkItem[],
  options: { requireAlias?: boolean } = {},
): Promise<void> {
  for (let start = 0; start < items.length; start += BULK) {
    let rest: readonly BulkItem[] = items.slice(start, start + BULK);
    for (let attempt = 1; rest.length > 0; attempt += 1) {
      if (attempt > ATTEMPTS) throw createUnavailable(`${rest.length} documents were not taken, for lack of room`);
      if (attempt > 1) await pause(FIRST_PAUSE_MS * 2 ** (attempt - 2) * (0.5 + Math.random() / 2));
      rest = await writeOnce(client, rest, options.requireAlias ?? false);
    }
  }
}

/** Returns the items that are worth another attempt. */
async function writeOnce(client: Client, items: readonly BulkItem[], requireAlias: boolean): Promise<BulkItem[]> {
  const operations = items.flatMap(({ index, id, version, source }): object[] => {
    const target = {
      _index: index,
      _id: id,
      ...(version === undefined ? {} : { version, version_type: "external_gte" as const }),
    };
    return source === undefined ? [{ delete: target }] : [{ index: target }, source];
  });
  const answer = await client
    .bulk({ operations, timeout: SHARD_TIMEOUT, ...(requireAlias ? { require_alias: true } : {}) })
    .catch((error: unknown) => {
      if (hasNoRoom(error)) return undefined;
      throw error;
    });
  if (answer === undefined) return [...items];
  if (!answer.errors) return [];
  const retried: BulkItem[] = [];
  const refused: string[] = [];
  for (const [position, { index, delete: removed }] of answer.items.entries()) {
    const item = (index ?? removed)!;
    const outcome = classifyOutcome(item);
    if (outcome === "gone") throw new IndexGoneError("what was written to is gone");
    if (outcome === "unavailable") throw createError(item.error!.type, item.status);
    if (outcome === "again") retried.push(items[position]!);
    if (outcome === "refused") refused.push(`${items[position]!.id} (${item.error!.type})`);
  }
  if (refused.length > 0) {
    const more = refused.length > NAMED ? ` and ${refused.length - NAMED} more` : "";
    throw new Error(`Elasticsearch refused ${refused.length} documents: ${refused.slice(0, NAMED).join(", ")}${more}`);
  }
  return retried;
}

function classifyOutcome({
  status,
  error,
}: estypes.BulkResponseItem): "done" | "again" | "gone" | "unavailable" | "refused" {
  // A newer version is there already.
  if (!error || error.type === "version_conflict_engine_exception") return "done";
  if (status === 404) return "gone";
  if (status === 429) return "again";
  return status === 503 || status === 403 ? "unavailable" : "refused";
}
