import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { ServiceBroker } from "moleculer";
import { openObjectStore, type ObjectStoreOptions } from "../../packages/durable/src/object-store/open.ts";
import { createManualSource, type ManualSource } from "../../services/ai/manual-source.ts";
import { call } from "../../services/contracts.ts";
import { eventually } from "./eventually.ts";
import { drawnPdf, drawPartsList } from "./pdf.ts";

/** Manuals to send: made here, so that a test knows what is in them. */

export interface ManualOptions {
  pages: number;
  /** Makes the bytes other than those of the next one. */
  title: string;
  password?: string;
}

/** A PDF whose pages each have a heading, a sentence, and a ruled table of two parts, whose numbers name the page. */
export function manualPdf({ pages, title, password }: ManualOptions): Promise<Buffer> {
  return drawnPdf(
    (document) => {
      for (let page = 1; page <= pages; page += 1) {
        document.addPage();
        document.fontSize(16).text(`${title}: sheet ${page}`, 72, 72);
        document.fontSize(10).text("Keep hands away from the blade while the engine runs.", 72, 100);
        drawPartsList(document, [
          ["1", partOf(page, 1), "SPRING, RETURN", "2"],
          ["2", partOf(page, 2), "WASHER, FLAT", "4"],
        ]);
      }
    },
    {
      autoFirstPage: false,
      margin: 72,
      info: { Title: title, CreationDate: new Date(0) },
      ...(password === undefined ? {} : { userPassword: password }),
    },
  );
}

/** The number of a page's first or second part. */
export function partOf(page: number, index: 1 | 2): string {
  return `${11_000 + page}-${7_040 + index}`;
}

export function sha256Of(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** What a form is made of: a file has a name. */
export type FormPart = { name: string; value: string } | { name: string; filename: string; content: Uint8Array };

const BOUNDARY = "----partline-test-boundary";
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

export function formOf(parts: readonly FormPart[]): Buffer {
  const chunks = parts.flatMap((part) => {
    const file = "content" in part;
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${part.name}"${file ? `; filename="${part.filename}"\r\nContent-Type: application/pdf` : ""}\r\n\r\n`;
    return [Buffer.from(head), file ? part.content : Buffer.from(part.value), Buffer.from("\r\n")];
  });
  return Buffer.concat([...chunks, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

/** The body in pieces, as it comes over a network. */
export function inPieces(body: Buffer, size = 10_000): Readable {
  return Readable.from(
    Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
      body.subarray(index * size, (index + 1) * size),
    ),
  );
}

export function upload(broker: ServiceBroker, parts: readonly FormPart[]) {
  return call(broker, "pipeline.upload", { contentType: FORM_TYPE }, { stream: inPieces(formOf(parts)) });
}

/** Sends a PDF and waits until its job has ended. */
export async function readManual(broker: ServiceBroker, content: Uint8Array, filename = "manual.pdf", within = 60_000) {
  const { batch_id } = await upload(broker, [{ name: "file", filename, content }]);
  return endedJob(broker, batch_id, within);
}

export function endedJob(broker: ServiceBroker, batch_id: string, within = 60_000) {
  return eventually(async () => {
    const job = await call(broker, "pipeline.job", { batch_id });
    return job.status === "queued" || job.status === "processing" ? undefined : job;
  }, within);
}

/** What the pipeline kept of a manual, read as the AI service reads it. */
export async function readKept<T>(store: ObjectStoreOptions, read: (source: ManualSource) => Promise<T>): Promise<T> {
  const objects = await openObjectStore(store);
  try {
    return await read(createManualSource(() => Promise.resolve(objects)));
  } finally {
    objects.close();
  }
}

export async function allOf<T>(pieces: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const piece of pieces) all.push(...piece);
  return all;
}
