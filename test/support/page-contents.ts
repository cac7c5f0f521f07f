import { parentPort, workerData } from "node:worker_threads";
import { openPdf } from "../../packages/manual-reader/src/pdf/document.ts";
import { readContent } from "../../packages/manual-reader/src/pdf/page-walk.ts";

/** Entry of a thread that reports what the pages of a PDF hold. */

const opened = await openPdf(workerData as string, { maxPages: 100, maxPixels: 36_000_000, languages: [] });
if ("code" in opened) throw new Error(opened.reason);
const contents = [];
for (let n = 1; n <= opened.pdf.numPages; n += 1)
  contents.push((await readContent(await opened.pdf.getPage(n), await opened.pdf.getOptionalContentConfig())).content);
parentPort!.postMessage(contents);
