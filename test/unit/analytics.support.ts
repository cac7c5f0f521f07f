import type { Projection } from "../../services/analytics/rows.ts";
import type { StoredEvent } from "../../services/contracts.ts";

/** A projection over rows in memory, counted in batches. */
export async function counted(
  projection: Projection,
  batches: readonly (readonly StoredEvent[])[],
): Promise<Map<string, object>> {
  const rows = new Map<string, object>();
  const load = async (keys: readonly string[]) =>
    new Map(keys.flatMap((key) => (rows.has(key) ? [[key, rows.get(key)!] as const] : [])));
  for (const batch of batches) {
    for (const { key, row, isNew } of await projection.project(batch, load)) {
      if (isNew === rows.has(key)) throw new Error(`${key} is written as ${isNew ? "new" : "known"}, and is not`);
      rows.set(key, JSON.parse(JSON.stringify(row)) as object);
    }
  }
  return rows;
}

/** Rows of a table in the order of their ids. */
export function rowsOfTable<Row extends object>(
  rows: ReadonlyMap<string, object>,
  table: { name: string; keyOf(id: string): string },
): [id: string, row: Row][] {
  const prefix = table.keyOf("");
  return [...rows]
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, row]): [string, Row] => [key.slice(prefix.length), row as Row])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

let position = 0;

export function storedEvent(
  aggregate_type: string,
  event_type: string,
  data: Record<string, unknown>,
  timestamp = new Date("2026-11-21T10:30:00Z"),
): StoredEvent {
  position += 1;
  return {
    event_id: `e${position}`,
    position,
    aggregate_id: `a${position}`,
    aggregate_type,
    version: 1,
    event_type,
    data,
    metadata: {},
    timestamp,
  } as StoredEvent;
}
