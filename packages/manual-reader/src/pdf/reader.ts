import { availableParallelism } from "node:os";
import { createWorkerPool, isMachineExhausted, ProcessFailed, type Worker } from "@partline/toolkit";
import type { PdfFacts } from "./facts.ts";
import type { Answer, Drawing, PageFailure, PageRead, Refusal, Request } from "./protocol.ts";

export type ReadPage = PageRead | { page: number; failed: PageFailure };

export type PdfReaderOptions = Partial<typeof DEFAULTS>;

export type PdfReader = ReturnType<typeof createPdfReader>;

const DEFAULTS = {
  /** At most one a processor. */
  processes: Infinity,
  pageWithinMs: 30_000,
  /** Of a process. */
  memoryMb: 300,
  idleMs: 10_000,
  maxPages: 5_000,
  maxPixels: 36_000_000,
  /** Pages that are pictures, and pictures of lists, are recognised in these languages; without any they are not. */
  languages: [] as readonly string[],
};
/** Milliseconds; damaged files are searched from end to end. */
const OPEN_WITHIN_MS = 60_000;
/** A process may be killed for other reasons, but not so often. */
const MOST_CRASHES = 3;
/** A process that has read other pages may have taken memory for them: a page is tried in a fresh one, too. */
const MOST_OUT_OF_MEMORY = 2;
/** Of an idle process. */
const OWN_MB = 120;
const DRAWN_WIDTH = 1_200;

type Reading = Worker<Request, Answer>;

/** Reads PDFs in child processes. Each @throws when the machine's files, processes or disk have run out. */
export function createPdfReader(options: PdfReaderOptions = {}) {
  const { pageWithinMs, memoryMb, idleMs, processes, ...limits } = { ...DEFAULTS, ...options };
  const pool = createWorkerPool<Request, Answer>(Math.max(1, Math.min(processes, availableParallelism())), {
    entry: new URL("./process.ts", import.meta.url),
    args: [JSON.stringify(limits)],
    heapMb: memoryMb,
    residentMb: memoryMb + OWN_MB,
    idleMs,
  });
  const withProcess = <T>(file: string, signal: AbortSignal | undefined, work: (reading: Reading) => Promise<T>) =>
    pool.run(work, { suits: ({ loaded }) => loaded === file, signal });

  /** Opens the file again after a process's end, outside the request's time. @throws if the machine is exhausted */
  async function ask(reading: Reading, request: Request, signal?: AbortSignal): Promise<Answer> {
    const { file } = request;
    for (let tries = 1; ; tries += 1) {
      try {
        if (reading.loaded !== file) {
          const opened = await reading.ask({ kind: "open", file }, OPEN_WITHIN_MS);
          reading.loaded = "opened" in opened ? file : undefined;
          if (request.kind === "open" || "refused" in opened) return opened;
        }
        return await reading.ask(request, request.kind === "open" ? OPEN_WITHIN_MS : pageWithinMs);
      } catch (error) {
        if (isMachineExhausted(error)) throw error;
        const code = error instanceof ProcessFailed ? error.code : "DAMAGED";
        const most = code === "CRASHED" ? MOST_CRASHES : code === "MEMORY" ? MOST_OUT_OF_MEMORY : 1;
        if (tries < most && !signal?.aborted) continue;
        return { failed: { code, reason: (error as Error).message } };
      }
    }
  }

  return {
    /** @param file path */
    open: (file: string, { signal }: { signal?: AbortSignal } = {}) =>
      withProcess(file, signal, async (reading): Promise<PdfFacts | { refused: Refusal }> => {
        const answer = await ask(reading, { kind: "open", file }, signal);
        if ("opened" in answer) return answer.opened;
        return {
          refused: "refused" in answer ? answer.refused : { code: "DAMAGED", reason: failureIn(answer).reason },
        };
      }),
    /**
     * Reads pages in order in one process, one ahead of `onPage`. @throws the signal's reason, and what `onPage` throws
     */
    read: (
      file: string,
      from: number,
      to: number,
      onPage: (page: ReadPage) => void | Promise<void>,
      { signal }: { signal?: AbortSignal } = {},
    ) =>
      withProcess(file, signal, async (reading) => {
        const readPage = async (page: number): Promise<ReadPage> => {
          const answer = await ask(reading, { kind: "read", file, page }, signal);
          return "read" in answer ? answer.read : { page, failed: failureIn(answer) };
        };
        let next = readPage(from);
        for (let page = from; page <= to; page += 1) {
          const pageRead = await next;
          signal?.throwIfAborted();
          if (page < to) next = readPage(page + 1);
          const ended = next.catch(() => undefined);
          try {
            await onPage(pageRead);
          } catch (error) {
            await ended;
            throw error;
          }
        }
      }),
    draw: (file: string, page: number, { width = DRAWN_WIDTH }: { width?: number } = {}) =>
      withProcess(file, undefined, async (reading): Promise<Drawing | { failed: PageFailure }> => {
        const answer = await ask(reading, { kind: "draw", file, page, width });
        return "drawn" in answer ? answer.drawn : { failed: failureIn(answer) };
      }),
    /** Ends idle processes, to free memory. */
    rest: pool.rest,
    /** Ends all processes; requests fail. */
    close: pool.close,
  };
}

function failureIn(answer: Answer): PageFailure {
  if ("failed" in answer) return answer.failed;
  return { code: "DAMAGED", reason: "refused" in answer ? answer.refused.reason : "The page could not be read" };
}
