import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect } from "@jest/globals";
import { ulid } from "ulid";
import type { EventLog, NewEvent, StoredEvent } from "../src/event-log/port.ts";

export const newEvent = (aggregate_id: string, more: Partial<NewEvent> = {}): NewEvent => ({
  event_id: ulid(),
  aggregate_id,
  aggregate_type: "thing",
  event_type: "THING_CHANGED",
  data: { n: 1 },
  timestamp: new Date(),
  ...more,
});

/** All events after a position, page by page as a reader catches up. */
export async function readToEnd(log: EventLog, after = 0, limit = 500): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (;;) {
    const page = await log.readAll({}, { after: events.at(-1)?.position ?? after, limit });
    if (page.length === 0) return events;
    events.push(...page);
  }
}

/** All events of an aggregate after a version, page by page. */
export async function readStreamToEnd(log: EventLog, id: string, after = 0, at?: Date): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (;;) {
    const page = await log.readStream(id, { after_version: events.at(-1)?.version ?? after, limit: 500, at });
    if (page.length === 0) return events;
    events.push(...page);
  }
}

/**
 * Reads on behind the writers until `isOver`, and to the end. Fails on an event that appears before one that was read.
 */
export async function follow(log: EventLog, isOver: () => boolean): Promise<StoredEvent[]> {
  const seen: StoredEvent[] = [];
  for (let last = false; ; last = isOver()) {
    const page = await readToEnd(log, seen.at(-1)?.position, 50);
    seen.push(...page);
    if (last) return seen;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/**
 * Positions without gaps from 1, versions of every aggregate without gaps from 1, ids once, and statistics that count
 * them all.
 */
export async function expectWhole(log: EventLog): Promise<StoredEvent[]> {
  const events = await readToEnd(log);
  expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => index + 1));
  expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length);
  for (const stream of Map.groupBy(events, ({ aggregate_id }) => aggregate_id).values()) {
    expect(stream.map(({ version }) => version)).toEqual(stream.map((_, index) => index + 1));
  }
  expect((await log.stats({})).total_events).toBe(events.length);
  expect(await log.head()).toBe(events.length);
  return events;
}

export interface WriterProcess {
  /** The event ids that it was answered for, so far. */
  acknowledged: string[];
  /** kill -9 at a random moment; resolves when it is gone. */
  kill(): Promise<void>;
}

/** A process that appends as fast as it may; resolves when it was answered for a few. */
export async function startWriter(mongoUrl: string | undefined, dataDir: string): Promise<WriterProcess> {
  const script = fileURLToPath(new URL("./event-log.writer.ts", import.meta.url));
  const child = spawn(process.execPath, [script, mongoUrl ?? "-", dataDir], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const acknowledged: string[] = [];
  const lines = createInterface(child.stdout);
  const printed = once(lines, "close");
  await new Promise<void>((resolve, reject) => {
    lines.on("line", (line) => acknowledged.push(line) === 20 && resolve());
    child.once("exit", () => reject(new Error("The writer ended by itself")));
  });
  return {
    acknowledged,
    kill: async () => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
      child.kill("SIGKILL");
      expect((await exited)[1]).toBe("SIGKILL");
      await printed;
    },
  };
}
