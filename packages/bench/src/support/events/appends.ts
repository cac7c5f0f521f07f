import { join } from "node:path";
import { connect, StringCodec } from "nats";
import { toEventText } from "../../../../durable/src/event-log/model/events.ts";
import { openEventLog } from "../../../../durable/src/event-log/open.ts";
import type { EventLog, NewEvent } from "../../../../durable/src/event-log/port.ts";
import { AppendGroup, openLogFile } from "../../../../durable/src/event-log/sqlite/append-group.ts";
import { percentile } from "../statistics.ts";
import { createChange } from "./generated.ts";

export interface Rate {
  perSecond: number;
  p99: number;
  /** Share of the time in which the event loop could do nothing else. */
  busy: number;
}

/** One event of one aggregate, as each of the writers appends them: with the version that it expects. */
function* eventsOf(writer: number): Generator<NewEvent> {
  for (let n = 0; ; n++) {
    yield {
      event_id: `w${writer}-${n}`,
      aggregate_id: `writer_${writer}`,
      aggregate_type: "order",
      event_type: "ORDER_UPDATED",
      timestamp: new Date(),
      expected_version: n,
      data: createChange(n),
    };
  }
}

/** Lets each writer append one event after another for a while. */
async function measure(
  writers: number,
  seconds: number,
  append: (event: NewEvent) => Promise<unknown> | void,
): Promise<Rate> {
  const milliseconds: number[] = [];
  const utilizationBefore = performance.eventLoopUtilization();
  const started = performance.now();
  const runWriter = async (writer: number): Promise<void> => {
    for (const event of eventsOf(writer)) {
      const startedAt = performance.now();
      if (startedAt - started >= seconds * 1_000) return;
      await append(event);
      milliseconds.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => runWriter(writer)));
  const taken = (performance.now() - started) / 1_000;
  return {
    perSecond: milliseconds.length / taken,
    p99: percentile(Float64Array.from(milliseconds).sort(), 0.99),
    busy: performance.eventLoopUtilization(utilizationBefore).utilization,
  };
}

export async function measureLog(open: () => Promise<EventLog>, writers: number, seconds: number): Promise<Rate> {
  const log = await open();
  try {
    return await measure(writers, seconds, (event) => log.appendToStream(event));
  } finally {
    await log.close();
  }
}

export const openEmbedded = (directory: string) => (): Promise<EventLog> => openEventLog({ dataDir: directory });

/** In a database of its own, which is left behind. */
export function openMongo(mongoUrl: string): () => Promise<EventLog> {
  const url = new URL(mongoUrl);
  url.pathname = `/partline_bench_events_${Date.now()}`;
  return () => openEventLog({ mongoUrl: url.href, dataDir: "" });
}

/**
 * The same tables, checks and durability without a thread and without grouping: each append is committed on its own.
 */
export async function measurePlain(directory: string, writers: number, seconds: number): Promise<Rate> {
  const database = openLogFile({ path: join(directory, "plain.db"), busyTimeoutMs: 1_000 });
  const appends = new AppendGroup(database);
  try {
    return await measure(writers, seconds, async (event) => {
      appends.run([{ kind: "append", event: toEventText(event) }]);
      // The others have their turn, as they would between requests.
      await Promise.resolve();
    });
  } finally {
    database.close();
  }
}

/**
 * Published with the acknowledgement waited for, to a stream on disk; no version is checked, and the acknowledgement
 * comes before the disk.
 */
export async function measureJetStream(natsUrl: string, writers: number, seconds: number): Promise<Rate> {
  const connection = await connect({ servers: natsUrl.split(",") });
  const name = `BENCH_EVENTS_${Date.now()}`;
  const manager = await connection.jetstreamManager();
  await manager.streams.add({ name, subjects: [`${name}.>`] });
  try {
    const client = connection.jetstream();
    const codec = StringCodec();
    return await measure(writers, seconds, (event) =>
      client.publish(`${name}.${event.aggregate_id}`, codec.encode(JSON.stringify(event)), { msgID: event.event_id }),
    );
  } finally {
    await manager.streams.delete(name);
    await connection.close();
  }
}
