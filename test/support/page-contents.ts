import { parentPort } from "node:worker_threads";
import { openPdf } from "../../packages/manual-reader/src/pdf/document.ts";
import { readContent } from "../../packages/manual-reader/src/pdf/page-walk.ts";

/** Entry of a thread that reports what the pages of each PDF hold that it is sent. */

parentPort!.on("message", async (file: string) => {
  const opened = await openPdf(file, { maxPages: 100, maxPixels: 36_000_000, languages: [] });
  if ("code" in opened) throw new Error(opened.reason);
  const contents = [];
  for (let n = 1; n <= opened.pdf.numPages; n += 1)
    contents.push(
      (await readContent(await opened.pdf.getPage(n), await opened.pdf.getOptionalContentConfig())).content,
    );
  await opened.close();
  parentPort!.postMessage(contents);
});
