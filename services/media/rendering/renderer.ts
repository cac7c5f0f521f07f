import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { endProcess } from "../../../mixins/child-process.ts";
import { PartlineError } from "../../../mixins/errors.ts";
import type { RenderJob, Rendered, RenderOutcome } from "./job.ts";

export interface Renderer {
  /** @throws VALIDATION_FAILED (the image), TIMEOUT, SERVICE_UNAVAILABLE (process died or renderer closed) */
  run(job: RenderJob): Promise<Rendered>;
  /** Ends the processes; their work fails. */
  close(): void;
}

export interface RendererOptions {
  processes: number;
  /** Limit for one image, milliseconds. */
  withinMs: number;
  /** Idle processes end after this, milliseconds. */
  idleMs?: number;
}

/** No settings or secrets. One glibc arena: freed pixels would stay in several. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: "1" };

const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));

/**
 * Works on images in child processes, one image at a time each. A decoder that crashes, hangs or takes too much memory
 * harms nothing else, and the processes know no secret.
 */
export function createRenderer({ processes, withinMs, idleMs = 30_000 }: RendererOptions): Renderer {
  const idle: { child: ChildProcess; timer: NodeJS.Timeout }[] = [];
  const busy = new Set<ChildProcess>();
  const waiting: PromiseWithResolvers<ChildProcess>[] = [];
  let isClosed = false;

  const start = (): ChildProcess => {
    const child = fork(WORKER, [], {
      env: ENVIRONMENT,
      execArgv: ["--disable-warning=ExperimentalWarning"],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    // It may die while idle.
    child.once("exit", () => forget(child)).on("error", () => forget(child));
    return child;
  };

  const take = (): Promise<ChildProcess> | ChildProcess => {
    const free = idle.pop();
    if (free) clearTimeout(free.timer);
    if (free || busy.size < processes) {
      const child = free?.child ?? start();
      busy.add(child);
      return child;
    }
    const turn = Promise.withResolvers<ChildProcess>();
    waiting.push(turn);
    return turn.promise;
  };

  /** Replaces a process that died or did not answer. */
  const release = (child: ChildProcess, hasAnswered: boolean): void => {
    busy.delete(child);
    const isAlive = hasAnswered && child.connected && child.exitCode === null && child.signalCode === null;
    if (!isAlive) endProcess(child);
    const next = waiting.shift();
    if (next) {
      const successor = isAlive ? child : start();
      busy.add(successor);
      next.resolve(successor);
    } else if (isAlive && !isClosed) {
      idle.push({ child, timer: setTimeout(() => end(child), idleMs).unref() });
    }
  };

  const forget = (child: ChildProcess): void => {
    const index = idle.findIndex((free) => free.child === child);
    if (index !== -1) clearTimeout(idle.splice(index, 1)[0]!.timer);
  };

  const end = (child: ChildProcess): void => {
    forget(child);
    endProcess(child);
  };

  const run = async (job: RenderJob, isRepeated = false): Promise<Rendered> => {
    if (isClosed) throw stopping();
    const child = await take();
    const outcome = await outcomeOf(child, job, withinMs);
    release(child, outcome !== "ended" && outcome !== "late");
    if (outcome === "late") throw new PartlineError("TIMEOUT", `The image took longer than ${withinMs / 1_000} s`);
    if (outcome !== "ended") return settled(outcome);
    // It may have died before it got the work.
    if (isRepeated) throw new PartlineError("SERVICE_UNAVAILABLE", "The process that worked on the image ended");
    return run(job, true);
  };

  return {
    run: (job) => run(job),
    close: () => {
      isClosed = true;
      for (const turn of waiting.splice(0)) turn.reject(stopping());
      for (const { child } of [...idle]) end(child);
      for (const child of busy) endProcess(child);
    },
  };
}

function outcomeOf(child: ChildProcess, job: RenderJob, withinMs: number): Promise<RenderOutcome | "ended" | "late"> {
  // Not started and without `send`: out of files or processes.
  if (child.pid === undefined) return Promise.resolve("ended");
  return new Promise((resolve) => {
    const settle = (outcome: RenderOutcome | "ended" | "late"): void => {
      clearTimeout(timer);
      child.off("message", onMessage).off("exit", onEnd).off("error", onEnd);
      resolve(outcome);
    };
    const onMessage = (outcome: unknown): void => settle(outcome as RenderOutcome);
    const onEnd = (): void => settle("ended");
    const timer = setTimeout(() => settle("late"), withinMs);
    child.on("message", onMessage).on("exit", onEnd).on("error", onEnd);
    child.send(job, (error) => error && onEnd());
  });
}

function stopping(): PartlineError {
  return new PartlineError("SERVICE_UNAVAILABLE", "The service is stopping");
}

function settled(outcome: RenderOutcome): Rendered {
  if ("rendered" in outcome) return outcome.rendered;
  if ("refused" in outcome)
    throw new PartlineError("VALIDATION_FAILED", outcome.refused, [{ field: "body", message: outcome.refused }]);
  throw Object.assign(new Error(`An image could not be worked on: ${outcome.failed}`), { code: outcome.code });
}
