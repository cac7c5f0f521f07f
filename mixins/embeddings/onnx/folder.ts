import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { PartlineError } from "../../errors.ts";
import { withinTime } from "../../within-time.ts";
import type { Embeddings, EmbeddingsSource } from "../port.ts";
import type { EmbedAnswer, EmbedRequest } from "./thread.ts";

/** Longest work on the texts of one call; milliseconds. */
const LONGEST_WORK = 120_000;
/** A model that nobody asked for so long leaves memory; milliseconds. */
const IDLE_MS = 10 * 60_000;

/**
 * Vectors from a model in a folder, made in a thread of its own, which starts with the first text and ends when idle.
 */
export function createFolderEmbeddings({ folder, model }: Extract<EmbeddingsSource, { kind: "folder" }>): Embeddings {
  const waiting = new Map<number, PromiseWithResolvers<Float32Array[]>>();
  let thread: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;
  let nextId = 1;

  const failed = (why: string): PartlineError =>
    new PartlineError("SERVICE_UNAVAILABLE", `The embeddings model cannot be run: ${why}`);
  const end = async (): Promise<void> => {
    clearTimeout(timer);
    const ended = thread;
    thread = undefined;
    for (const turn of waiting.values()) turn.reject(failed("it was stopped"));
    waiting.clear();
    await ended?.terminate();
  };
  const start = (): Worker => {
    const started = new Worker(fileURLToPath(new URL("./thread.ts", import.meta.url)), {
      name: "embeddings",
      workerData: { folder },
    });
    started.unref();
    started.on("message", (answer: EmbedAnswer) => {
      const turn = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ("vectors" in answer) turn?.resolve(answer.vectors);
      else turn?.reject(failed(answer.failed));
    });
    started
      .on("error", () => undefined)
      .on("exit", () => {
        if (thread === started) void end();
      });
    return started;
  };

  return {
    model,
    async embed(texts, { deadlineMs = LONGEST_WORK } = {}) {
      if (texts.length === 0) return [];
      thread ??= start();
      clearTimeout(timer);
      const id = nextId++;
      const turn = Promise.withResolvers<Float32Array[]>();
      waiting.set(id, turn);
      thread.postMessage({ id, texts } satisfies EmbedRequest);
      try {
        return await withinTime(turn.promise, deadlineMs, () => {
          throw new PartlineError("TIMEOUT", "The embeddings model did not answer in time");
        });
      } finally {
        waiting.delete(id);
        if (waiting.size === 0) timer = setTimeout(() => void end(), IDLE_MS).unref();
      }
    },
    close: end,
  };
}
