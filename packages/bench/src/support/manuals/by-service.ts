import { readFileSync } from "node:fs";
import { memoryMbOf } from "../../../../../test/support/children.ts";
import { eventually } from "../../../../../test/support/eventually.ts";
import { formOf, FORM_TYPE } from "../../../../../test/support/manuals.ts";
import { startSystem } from "../../../../../test/support/system.ts";

export interface ReadByService {
  pages: number;
  seconds: number;
  /** Of the process with all services at rest; then with all that it started, at most. */
  mbAtRest: number;
  mostMb: number;
  /** Delay of its event loop, 99th percentile, in milliseconds. */
  lateMs: number;
}

/** To look takes 20 to 40 ms of a processor that the reading lacks. */
const LOOK_EVERY_MS = 500;

/** Has a manual read by a fresh system of all services, without OCR: scanned pages would be waited for. */
export async function readByService(file: string): Promise<ReadByService> {
  const system = await startSystem({ readsSamples: false, env: { PIPELINE_OCR: "off" } });
  const { pid } = system.processes[0]!;
  const lateMs = async (): Promise<number> =>
    1_000 *
    Number(
      /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec((await system.request("pipeline", "GET", "/metrics")).text)![1],
    );
  try {
    const mbAtRest = memoryMbOf(pid!);
    let mostMb = 0;
    const timer = setInterval(() => {
      mostMb = Math.max(mostMb, memoryMbOf(pid!));
    }, LOOK_EVERY_MS);
    await lateMs();
    const rawBody = formOf([{ name: "file", filename: "long.pdf", content: readFileSync(file) }]);
    const from = performance.now();
    const {
      body: { batch_id },
    } = await system.request("pipeline", "POST", "/api/upload-pdf", {
      rawBody,
      headers: { "Content-Type": FORM_TYPE },
    });
    const job = await eventually(async () => {
      const { body } = await system.request("pipeline", "GET", `/api/jobs/${batch_id}`);
      return !["queued", "processing"].includes(body.status) && body;
    }, 600_000);
    const seconds = (performance.now() - from) / 1_000;
    clearInterval(timer);
    if (job.status !== "completed") throw new Error(`The manual was not read: ${JSON.stringify(job.files)}`);
    return { pages: job.progress.pages.done, seconds, mbAtRest, mostMb, lateMs: await lateMs() };
  } finally {
    await system.stop();
  }
}
