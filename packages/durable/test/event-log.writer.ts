import { openEventLog } from "../src/event-log/open.ts";
import { hasEventLogCode } from "../src/event-log/port.ts";

/**
 * A process that appends to three shared aggregates until it is killed, and prints the id of each event that was
 * acknowledged. Arguments: MongoDB URL or "-"; data directory.
 */
const [mongoUrl, dataDir] = process.argv.slice(2) as [string, string];
const log = await openEventLog({ mongoUrl: mongoUrl === "-" ? undefined : mongoUrl, dataDir });
const run = `${process.pid}-${Date.now()}`;

/** A server that is too busy to answer has acknowledged nothing; the same event is appended again. */
async function writeOn(writer: number): Promise<never> {
  for (let n = 0; ;) {
    const event_id = `${run}-${writer}-${n}`;
    try {
      await log.appendToStream({
        event_id,
        aggregate_id: `shared-${n % 3}`,
        aggregate_type: "thing",
        event_type: "THING_CHANGED",
        data: { writer, n },
        timestamp: new Date(),
      });
      process.stdout.write(`${event_id}\n`);
      n += 1;
    } catch (error) {
      if (!hasEventLogCode(error, "UNAVAILABLE")) throw error;
    }
  }
}

await Promise.all([0, 1, 2, 3].map(writeOn));
