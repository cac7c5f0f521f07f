import { openEmbeddedFile, type EmbeddedFileOptions } from "../../sqlite/embedded-file.ts";
import { EVENT_FIELDS, Page, toEventText, type EventRow } from "../model/events.ts";
import {
  createReads,
  typeConditions,
  type Condition,
  type CountedTypes,
  type CountRead,
  type Indexes,
  type Operator,
} from "../model/reads.ts";
import type { Span } from "../model/counts.ts";
import type { EventLog } from "../port.ts";
import { errors, type Answer, type Request } from "./append-group.ts";

/** Rows read at a time: twice as fast as one by one, and few are read in vain behind a full page. */
const CHUNK = 64;

/**
 * The embedded event log: `events.db`, a SQLite file in WAL mode.
 * @throws UNAVAILABLE when another process has it open, or the file cannot be opened
 */
export async function openSqliteLog(
  options: Pick<EmbeddedFileOptions, "directory" | "busyTimeoutMs" | "logger">,
): Promise<EventLog> {
  const file = await openEmbeddedFile<Request>({
    ...options,
    fileName: "events.db",
    cacheKiB: 8_000,
    errors,
    module: new URL("./append-group.ts", import.meta.url),
  });
  const readHead = (): Promise<number> =>
    file.read(
      (statements) => (statements.get("SELECT coalesce(max(position), 0) FROM events").get() as unknown as [number])[0],
    );
  const readCounts = (columns: string, spans: readonly Span[], types: CountedTypes, group = ""): Promise<unknown[][]> =>
    file.read((statements) =>
      spans.flatMap(({ unit, from, to }) => {
        const { sql, params } = toWhere([
          ["unit", "=", unit],
          ["start", ">=", from],
          ["start", "<", to],
          ...typeConditions(types),
        ]);
        return statements.get(`SELECT ${columns} FROM counts${sql}${group}`).all(...params) as unknown as unknown[][];
      }),
    );
  const fromEvents = (index: CountRead["index"]): string =>
    `FROM events ${index === "by_position" ? "NOT INDEXED" : `INDEXED BY ${index}`}`;
  const indexes: Indexes = {
    select: ({ index, order, descending, conditions, limit }) => {
      const direction = descending ? " DESC" : "";
      return file.read((statements) => {
        const page = new Page();
        let bounded = conditions;
        for (let left = limit; left > 0; left -= CHUNK) {
          const { sql, params } = toWhere(bounded);
          const chunk = `SELECT ${EVENT_FIELDS.join()} ${fromEvents(index)}${sql} ORDER BY ${order}${direction} LIMIT ?`;
          const rows = statements
            .get(chunk)
            .all(...params, Math.min(CHUNK, left))
            .map(toEventRow);
          if (!rows.every((row) => page.add(row)) || rows.length < CHUNK) break;
          // In place of the lower bound: of two, SQLite would look up the first.
          const otherConditions = conditions.filter(([field, operator]) => field !== order || operator !== ">");
          bounded = [...otherConditions, [order, ">", rows.at(-1)![order]]];
        }
        return page.events;
      });
    },
    ends: async (spans, types) => {
      const rows = await readCounts("min(first_position), max(last_position)", spans, types);
      const bounds = rows.filter((row): row is [number, number] => row[0] !== null);
      if (bounds.length === 0) return undefined;
      return { first: Math.min(...bounds.map(([first]) => first)), last: Math.max(...bounds.map(([, last]) => last)) };
    },
    sums: async (spans, types) => {
      const day = "start - (start % 1440 + 1440) % 1440";
      const columns = `aggregate_type, event_type, ${day}, sum(events)`;
      const rows = (await readCounts(columns, spans, types, " GROUP BY 1, 2, 3")) as [string, string, number, number][];
      return rows.map(([aggregate_type, event_type, day, events]) => ({ aggregate_type, event_type, day, events }));
    },
    countEvents: ({ index, conditions }) => {
      const { sql, params } = toWhere(conditions);
      const counted = `SELECT aggregate_type, event_type, count(*) ${fromEvents(index)}${sql} GROUP BY 1, 2`;
      return file.read((statements) => {
        const rows = statements.get(counted).all(...params) as unknown as [string, string, number][];
        return rows.map(([aggregate_type, event_type, events]) => ({ aggregate_type, event_type, events }));
      });
    },
  };
  return {
    ...createReads(indexes),
    head: readHead,
    appendToStream: async (event) => {
      const appended = await file.writer.request({ kind: "append", event: toEventText(event) });
      const { timestamp, ...rest } = appended as NonNullable<Answer>;
      return { ...rest, timestamp: new Date(timestamp) };
    },
    ping: async () => {
      await readHead();
      await file.writer.request({ kind: "ping" });
    },
    close: () => file.close(),
  };
}

function toWhere(conditions: readonly (readonly [name: string, operator: Operator, value: Condition[2]])[]) {
  return {
    sql: ` WHERE ${conditions.map(([name, operator]) => `${name} ${operator} ?`).join(" AND ")}`,
    params: conditions.map(([, , value]) => (value instanceof Date ? value.getTime() : value)),
  };
}

function toEventRow(row: unknown): EventRow {
  const event: Partial<Record<keyof EventRow, unknown>> = {};
  for (const [index, field] of EVENT_FIELDS.entries()) event[field] = (row as unknown[])[index];
  event.timestamp = new Date(event.timestamp as number);
  return event as EventRow;
}
