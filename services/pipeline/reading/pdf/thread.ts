import { parentPort, workerData } from "node:worker_threads";
import { openPdf, type OpenPdf } from "./document.ts";
import { drawPageOf, readPageOf } from "./page-reading.ts";
import type { Answer, ReaderLimits, Request } from "./protocol.ts";

/** Entry of a thread that reads: one file at a time is open in it, until it is asked for another. */

const port = parentPort!;
const limits = workerData as ReaderLimits;
let current: OpenPdf | undefined;

port.on("message", (request: Request) => {
  void work(request)
    .catch((error: unknown): Answer => ({ failed: { code: "DAMAGED", reason: error instanceof Error ? error.message : String(error) } }))
    .then((answer) => port.postMessage(answer, buffersOf(answer)));
});

async function work(request: Request): Promise<Answer> {
  if (request.kind === "open") return open(request.file);
  if (current?.file !== request.file) throw new Error("The file is not open");
  if (request.kind === "read") return { read: await readPageOf(current, request.page, limits) };
  return { drawn: await drawPageOf(current, request.page, request.width) };
}

async function open(file: string): Promise<Answer> {
  if (current?.file !== file) {
    await current?.close();
    current = undefined;
    const opened = await openPdf(file, limits);
    if ("code" in opened) return { refused: opened };
    current = opened;
  }
  return { opened: { pages: current.pdf.numPages } };
}

/** What is handed over instead of copied. */
function buffersOf(answer: Answer): ArrayBuffer[] {
  const files = "read" in answer ? answer.read.images : "drawn" in answer ? [answer.drawn] : [];
  return files.flatMap((file) => ("webp" in file && file.webp.buffer instanceof ArrayBuffer ? [file.webp.buffer] : []));
}
