import { expect } from "@jest/globals";
import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { DocumentStore } from "../src/document-store/port.ts";

/**
 * Starts the writing process, and kills it -9 at a random moment after some acknowledgements. Answers what it printed.
 */
export async function writeUntilKilled(
  run: string,
  mongoUrl: string | undefined,
  dataDir: string,
  whileRunning: () => Promise<void> = async () => undefined,
): Promise<string[]> {
  const script = fileURLToPath(new URL("./document-store.crash-writer.ts", import.meta.url));
  const child: ChildProcessByStdio<null, Readable, null> = spawn(
    process.execPath,
    [script, run, mongoUrl ?? "-", dataDir],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const exited = once(child, "exit");
  const enough = 20 + Math.floor(Math.random() * 200);
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (lines.length === 5) await whileRunning();
    if (lines.length === enough) setTimeout(() => child.kill("SIGKILL"), Math.random() * 10);
  }
  expect((await exited)[1]).toBe("SIGKILL");
  return lines;
}

/** Every acknowledged write is there, and every batch is whole or absent. */
export async function expectAcknowledged(store: DocumentStore, lines: string[]): Promise<void> {
  const acknowledged = (kind: string): string[] =>
    lines.filter((line) => line.startsWith(`${kind} `)).map((line) => line.split(" ")[1]!);
  const singles = new Set((await store.collection({ name: "single" }).find({})).map(({ _id }) => _id));
  expect(acknowledged("single").filter((id) => !singles.has(id))).toEqual([]);

  const parts = await store
    .collection<{ _id: string; batch: string }>({
      name: "batches",
      fields: { batch: "string" },
      indexes: [{ keys: { batch: 1 } }],
    })
    .find({});
  const sizes = new Map<string, number>();
  for (const { batch } of parts) sizes.set(batch, (sizes.get(batch) ?? 0) + 1);
  expect([...sizes].filter(([, size]) => size !== 3)).toEqual([]);
  expect(acknowledged("batch").filter((id) => !sizes.has(id))).toEqual([]);
  const runs = Map.groupBy(sizes.keys(), (id) => id.split("-")[0]!);
  for (const [run, batches] of runs)
    expect(await store.collection({ name: "counters" }).findOne({ _id: run })).toEqual({ _id: run, n: batches.length });
}
