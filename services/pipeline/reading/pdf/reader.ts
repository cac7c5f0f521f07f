import { availableParallelism } from "node:os";
import type { Answer, Drawing, PageFailure, PageRead, ReaderLimits, Refusal } from "./protocol.ts";
import { ReaderProcess } from "./reader-process.ts";

export type { Drawing, ImageFile, PageFailure, PageFailureCode, PageRead, Refusal, RefusalCode } from "./protocol.ts";

/** A page as it was read, or why it could not be. */
export type ReadPage = PageRead | { page: number; failed: PageFailure };

export interface PdfReaderOptions extends Partial<ReaderLimits> {
  /** At most; no more than the machine has processors for. */
  processes?: number;
  pageWithinMs?: number;
  /** Of one process, what it reads included. */
  memoryMb?: number;
  /** How long a process without work is kept. */
  idleMs?: number;
}

export interface PdfReader {
  /** @param file its path on disk */
  open(file: string, options?: { signal?: AbortSignal }): Promise<{ pages: number } | { refused: Refusal }>;
  /**
   * Reads pages `from` to `to`, in order, on one process. A page that cannot be read is told as failed, and the next
   * one is read. The next page is read while `onPage` is at work, and no further. Rejects with the signal's reason, or
   * with what `onPage` throws.
   */
  read(
    file: string,
    from: number,
    to: number,
    onPage: (page: ReadPage) => void | Promise<void>,
    options?: { signal?: AbortSignal },
  ): Promise<void>;
  /** A page as a picture, `width` pixels wide. */
  draw(
    file: string,
    page: number,
    options?: { width?: number; signal?: AbortSignal },
  ): Promise<Drawing | { failed: PageFailure }>;
  /** Ends the processes that are not at work, for the sake of what needs memory more. */
  rest(): void;
  /** Ends the processes, at work or not: what was asked is told as failed. */
  close(): Promise<void>;
}

const DEFAULTS = {
  pageWithinMs: 30_000,
  memoryMb: 300,
  idleMs: 10_000,
  maxPages: 5_000,
  maxPixels: 36_000_000,
  ocr: false,
};
/** A file whose index is damaged is searched from end to end. */
const OPEN_WITHIN_MS = 60_000;
/**
 * A process that somebody else has ended (a system short of memory, say) is no fault of the page, unless it happens so
 * often.
 */
const MOST_CRASHES = 3;
const DRAWN_WIDTH = 1_200;

/** Reads PDF files in processes that start with the first work and end when there is none. */
export function createPdfReader(options: PdfReaderOptions = {}): PdfReader {
  const { pageWithinMs, memoryMb, idleMs, ...limits } = { ...DEFAULTS, ...options };
  const slots = Math.max(1, Math.min(options.processes ?? Infinity, availableParallelism()));
  const free: ReaderProcess[] = Array.from({ length: slots }, () => new ReaderProcess({ limits, memoryMb, idleMs }));
  const all = [...free];
  const waiting: ((reading: ReaderProcess) => void)[] = [];

  /** One that has the file open, if there is one. */
  function freeProcess(file: string): ReaderProcess | undefined {
    const place = free.findIndex((reading) => reading.file === file);
    return place < 0 ? free.pop() : free.splice(place, 1)[0];
  }

  /** The next process that is free; who has stopped meanwhile waits no longer. */
  function turn(signal: AbortSignal | undefined): Promise<ReaderProcess> {
    return new Promise((resolve, reject) => {
      const take = (reading: ReaderProcess): void => {
        signal?.removeEventListener("abort", leave);
        resolve(reading);
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(take), 1);
        reject(signal!.reason as Error);
      };
      if (signal?.aborted) {
        reject(signal.reason as Error);
        return;
      }
      signal?.addEventListener("abort", leave, { once: true });
      waiting.push(take);
    });
  }

  async function withProcess<T>(
    file: string,
    signal: AbortSignal | undefined,
    work: (reading: ReaderProcess) => Promise<T>,
  ): Promise<T> {
    const reading = freeProcess(file) ?? (await turn(signal));
    const stop = (): void => reading.end();
    try {
      signal?.throwIfAborted();
      signal?.addEventListener("abort", stop);
      const result = await work(reading);
      signal?.throwIfAborted();
      return result;
    } finally {
      signal?.removeEventListener("abort", stop);
      const next = waiting.shift();
      if (next) next(reading);
      else free.push(reading);
    }
  }

  async function insisting(ask: () => Promise<Answer>, signal: AbortSignal | undefined): Promise<Answer> {
    for (let crashes = 1; ; crashes += 1) {
      const answer = await ask();
      const isCrash = "failed" in answer && answer.failed.code === "CRASHED";
      if (!isCrash || crashes === MOST_CRASHES || signal?.aborted) return answer;
    }
  }

  async function openIn(
    reading: ReaderProcess,
    file: string,
    signal: AbortSignal | undefined,
  ): Promise<{ pages: number } | { refused: Refusal }> {
    const answer = await insisting(() => reading.ask({ kind: "open", file }, OPEN_WITHIN_MS), signal);
    if ("opened" in answer) return answer.opened;
    if ("refused" in answer) return answer;
    return {
      refused: { code: "DAMAGED", reason: "failed" in answer ? answer.failed.reason : "The file could not be opened" },
    };
  }

  /** A process that ended meanwhile has the file to open again, which is not part of the page's time. */
  function onFile(
    reading: ReaderProcess,
    file: string,
    signal: AbortSignal | undefined,
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    return insisting(async () => {
      if (reading.file === file) return work();
      const opened = await openIn(reading, file, signal);
      if ("refused" in opened) return { failed: { code: "DAMAGED", reason: opened.refused.reason } };
      return work();
    }, signal);
  }

  async function readPage(
    reading: ReaderProcess,
    file: string,
    page: number,
    signal: AbortSignal | undefined,
  ): Promise<ReadPage> {
    const answer = await onFile(reading, file, signal, () => reading.ask({ kind: "read", file, page }, pageWithinMs));
    return "read" in answer ? answer.read : { page, failed: failureIn(answer) };
  }

  return {
    open: (file, { signal } = {}) => withProcess(file, signal, (reading) => openIn(reading, file, signal)),
    read: (file, from, to, onPage, { signal } = {}) =>
      withProcess(file, signal, async (reading) => {
        let next = readPage(reading, file, from, signal);
        for (let page = from; page <= to; page += 1) {
          const read = await next;
          signal?.throwIfAborted();
          if (page < to) next = readPage(reading, file, page + 1, signal);
          try {
            await onPage(read);
          } catch (error) {
            await next;
            throw error;
          }
        }
      }),
    draw: (file, page, { width = DRAWN_WIDTH, signal } = {}) =>
      withProcess(file, signal, async (reading) => {
        const answer = await onFile(reading, file, signal, () =>
          reading.ask({ kind: "draw", file, page, width }, pageWithinMs),
        );
        return "drawn" in answer ? answer.drawn : { failed: failureIn(answer) };
      }),
    rest: () => {
      for (const reading of free) reading.end();
    },
    close: async () => {
      await Promise.all(all.map((reading) => reading.close()));
    },
  };
}

function failureIn(answer: Answer): PageFailure {
  return "failed" in answer
    ? answer.failed
    : { code: "DAMAGED", reason: "refused" in answer ? answer.refused.reason : "The page could not be read" };
}
