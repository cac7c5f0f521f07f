import { serveParent } from "../../../../mixins/child-process.ts";
import { openPdf, type OpenPdf } from "./document.ts";
import { drawPageOf, readPageOf } from "./page-reading.ts";
import type { Answer, ReaderLimits, Request } from "./protocol.ts";

/** One file at a time is open. */

const limits = JSON.parse(process.argv[2]!) as ReaderLimits;
let current: OpenPdf | undefined;

serveParent(async (request: Request): Promise<Answer> => {
  if (request.kind === "open") return open(request.file);
  if (current?.file !== request.file) throw new Error("The file is not open");
  if (request.kind === "read") return { read: await readPageOf(current, request.page, limits) };
  return { drawn: await drawPageOf(current, request.page, request.width) };
});

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
