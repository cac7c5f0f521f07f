import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually } from "../../../../../test/support/eventually.ts";
import { removeStreams, testNamespace } from "../../../../../test/support/jetstream.ts";
import { mongoTestUrl } from "../../../../../test/support/mongo.ts";
import { startWorkerProcess } from "../../../../../test/support/worker-process.ts";
import type { Wish } from "../../../../../test/system/pipeline.worker.ts";

const NODE = fileURLToPath(new URL("../../../../../test/system/pipeline.worker.ts", import.meta.url));

/** Seconds in which one node and two read manuals, over MongoDB and NATS; each node is kept on one processor. */
export async function readByNodes(files: readonly string[]): Promise<{ one: number; two: number }> {
  return { one: await secondsFor(1, files), two: await secondsFor(2, files) };
}

async function secondsFor(count: number, files: readonly string[]): Promise<number> {
  const namespace = testNamespace();
  const settings = JSON.stringify({
    MONGO_URL: mongoTestUrl("pages"),
    NATS_URL: process.env.NATS_URL!,
    NATS_NAMESPACE: namespace,
  });
  const dataDir = mkdtempSync(join(tmpdir(), "partline-bench-"));
  const nodes = await Promise.all(
    Array.from({ length: count }, (_, processor) => startWorkerProcess<Wish>(NODE, [dataDir, "", settings], processor)),
  );
  const [first] = nodes;
  try {
    const from = performance.now();
    const jobs: string[] = [];
    for (const file of files)
      jobs.push(
        (await first!.ask<{ batch_id: string }>({ do: "upload", content: readFileSync(file, "base64") })).batch_id,
      );
    for (const batch_id of jobs) {
      const { file } = await eventually(async () => {
        const state = await first!.ask<{ file: { status: string } }>({ do: "state", batch_id });
        return !["queued", "processing"].includes(state.file.status) && state;
      }, 600_000);
      if (file.status !== "completed") throw new Error(`A manual was not read: ${JSON.stringify(file)}`);
    }
    return (performance.now() - from) / 1_000;
  } finally {
    await Promise.all(nodes.map((node) => node.kill()));
    await removeStreams(process.env.NATS_URL!, namespace);
  }
}
