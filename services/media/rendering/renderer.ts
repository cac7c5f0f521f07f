import { createWorkerPool, ProcessFailed, type Worker } from "@partline/toolkit";
import { PartlineError } from "../../../mixins/errors.ts";
import type { RenderJob, Rendered } from "./render.ts";

export type Renderer = ReturnType<typeof createRenderer>;

export interface RendererOptions {
  processes: number;
  /** Limit for one image, milliseconds. */
  withinMs: number;
  /** Idle processes end after this, milliseconds. */
  idleMs?: number;
}

/**
 * Works on images in child processes, one image at a time each. A decoder that crashes, hangs or takes too much memory
 * harms nothing else, and the processes know no secret.
 */
export function createRenderer({ processes, withinMs, idleMs = 30_000 }: RendererOptions) {
  const pool = createWorkerPool<RenderJob, Rendered>(processes, {
    entry: new URL("./worker.ts", import.meta.url),
    idleMs,
  });
  const render = (worker: Worker<RenderJob, Rendered>, job: RenderJob): Promise<Rendered> =>
    worker.ask(job, withinMs).catch((error: unknown) => {
      // It may have died before it got the work.
      if (error instanceof ProcessFailed && error.code === "CRASHED") return worker.ask(job, withinMs);
      throw error;
    });
  return {
    /** @throws VALIDATION_FAILED, TIMEOUT, SERVICE_UNAVAILABLE (the process died), EMFILE and the like (none starts) */
    run: (job: RenderJob) =>
      pool
        .run((worker) => render(worker, job))
        .catch((error: unknown) => {
          throw toClient(error as Error);
        }),
    close: () => void pool.close(),
  };
}

function toClient(error: Error): Error {
  if (error instanceof ProcessFailed)
    return error.code === "TIMEOUT"
      ? new PartlineError("TIMEOUT", error.message.replace(/^It/, "The image"))
      : new PartlineError("SERVICE_UNAVAILABLE", "The process that worked on the image ended");
  if (error.name === "RefusedImage")
    return new PartlineError("VALIDATION_FAILED", error.message, [{ field: "body", message: error.message }]);
  return Object.assign(new Error(`An image could not be worked on: ${error.stack}`), {
    code: (error as NodeJS.ErrnoException).code,
  });
}
