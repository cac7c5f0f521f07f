import { join } from "node:path";
import { toEventText } from "../../../../durable/src/event-log/model/events.ts";
import type { NewEvent } from "../../../../durable/src/event-log/port.ts";
import { AppendGroup, openLogFile, type Request } from "../../../../durable/src/event-log/sqlite/append-group.ts";

const GROUP = 5_000;

/**
 * Fills the file of an embedded event log as its writer thread would, in larger groups and without waiting for the
 * disk.
 */
export function fill(directory: string, events: Iterable<NewEvent>): void {
  const database = openLogFile({ path: join(directory, "events.db"), busyTimeoutMs: 1_000 });
  database.exec("PRAGMA synchronous = OFF");
  const appends = new AppendGroup(database);
  let group: Request[] = [];
  const write = (): void => {
    const refused = appends.run(group).find((reply) => !reply.ok);
    if (refused) throw new Error(`An event was refused: ${JSON.stringify(refused)}`);
    group = [];
  };
  for (const event of events) if (group.push({ kind: "append", event: toEventText(event) }) === GROUP) write();
  write();
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}
