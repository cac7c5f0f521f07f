import type { DatabaseSync } from "node:sqlite";
import { GroupCommit } from "../../sqlite/group-commit.ts";
import type { OpeningOptions } from "../../sqlite/protocol.ts";
import { CountChanges } from "../model/counts.ts";
import { nextVersion, type EventText, type StreamHead } from "../model/new-event.ts";
import { errors, type Answer, type Request } from "./protocol.ts";
import { openLogFile } from "./schema.ts";

/** What the writer thread runs for an event log. */
export function openWriter(options: OpeningOptions): AppendGroup {
  return new AppendGroup(openLogFile(options));
}

/** Appends, grouped: all that wait get position and version in the next transaction. */
export class AppendGroup extends GroupCommit<Request, Answer> {
  readonly #head;
  readonly #known;
  readonly #stream;
  readonly #insert;
  readonly #count;
  #position = 0;
  #changes = new CountChanges();

  constructor(database: DatabaseSync) {
    super(database, errors);
    this.#head = database.prepare("SELECT coalesce(max(position), 0) AS head FROM events");
    this.#known = database.prepare(
      "SELECT event_id, aggregate_id, position, version, timestamp FROM events WHERE event_id = ?",
    );
    this.#stream = database.prepare(
      "SELECT version, aggregate_type FROM events INDEXED BY by_stream WHERE aggregate_id = ? ORDER BY version DESC LIMIT 1",
    );
    this.#insert = database.prepare(
      "INSERT INTO events (position, event_id, aggregate_id, aggregate_type, version, event_type, timestamp, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    this.#count = database.prepare(
      `INSERT INTO counts (unit, start, aggregate_type, event_type, events, first_position, last_position) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET events = events + excluded.events, last_position = excluded.last_position`,
    );
  }

  protected override begun(): void {
    this.#position = this.#head.get()!["head"] as number;
    this.#changes = new CountChanges();
  }

  protected override ending(): void {
    for (const { unit, start, aggregate_type, event_type, events, ...positions } of this.#changes.values())
      this.#count.run(
        unit,
        start,
        aggregate_type,
        event_type,
        events,
        positions.first_position,
        positions.last_position,
      );
  }

  protected override perform(request: Request): Answer {
    return request.kind === "append" ? this.#append(request.event) : null;
  }

  #append(event: EventText): Answer {
    const known = this.#known.get(event.event_id) as Omit<NonNullable<Answer>, "recorded"> | undefined;
    if (known) return { ...known, recorded: false };
    const { event_id, aggregate_id, aggregate_type, event_type, timestamp, data, metadata } = event;
    const version = nextVersion(event, this.#stream.get(aggregate_id) as StreamHead | undefined);
    const position = this.#position + 1;
    this.#insert.run(position, event_id, aggregate_id, aggregate_type, version, event_type, timestamp, data, metadata);
    this.#position = position;
    this.#changes.add(event, position);
    return { event_id, aggregate_id, position, version, timestamp, recorded: true };
  }
}
