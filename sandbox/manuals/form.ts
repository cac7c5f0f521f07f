import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";

/** Returns a PDF as an upload form. */
export function formOf(filename: string, pdf: Uint8Array): { contentType: string; stream: Readable } {
  const form = new FormData();
  form.set("file", new File([new Uint8Array(pdf)], filename, { type: "application/pdf" }));
  const { headers, body } = new Response(form);
  return { contentType: headers.get("content-type")!, stream: Readable.fromWeb(body as ReadableStream) };
}
