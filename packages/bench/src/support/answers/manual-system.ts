import { eventually } from "../../../../../test/support/eventually.ts";
import type { System } from "../../../../../test/support/system.ts";
import type { KnownManual } from "./known-manuals.ts";

export const READ_WITHIN_MS = 900_000;

/** Sends a manual and answers its job. @throws Error when it is not taken */
export async function uploadManual(system: System, filename: string, pdf: Uint8Array): Promise<string> {
  const form = new FormData();
  form.set("file", new File([new Uint8Array(pdf)], filename, { type: "application/pdf" }));
  const response = await fetch(`${system.url("pipeline")}/api/upload-pdf`, { method: "POST", body: form });
  const text = await response.text();
  if (response.status !== 202)
    throw new Error(`The upload of ${filename} is answered ${response.status}: ${text.slice(0, 300)}`);
  return (JSON.parse(text) as { batch_id: string }).batch_id;
}

/** Waits until every job has ended and the parts of every manual can be asked for. @throws Error when one failed */
export async function readCompletely(
  system: System,
  jobs: readonly string[],
  manuals: readonly KnownManual[],
): Promise<void> {
  for (const job of jobs) {
    const { status, files } = await eventually(async () => {
      const { body } = await system.request("pipeline", "GET", `/api/jobs/${job}`);
      const manualJob = body as { status: string; files: unknown[] };
      return !["queued", "processing"].includes(manualJob.status) && manualJob;
    }, READ_WITHIN_MS);
    if (status !== "completed") throw new Error(`A job is ${status}: ${JSON.stringify(files)}`);
  }
  for (const { truth } of manuals) {
    await eventually(async () => {
      const { body } = await system.request(
        "ai",
        "GET",
        `/api/ai/equipment?model=${encodeURIComponent(truth.models[0]!)}`,
      );
      return (body as { parts: unknown[] }).parts.length > 0;
    }, READ_WITHIN_MS);
  }
}
