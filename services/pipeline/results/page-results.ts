import { Readable } from "node:stream";
import { formatCsvLine } from "@partline/toolkit/pure";
import { type ObjectStore, readObject } from "@partline/durable";
import { getImageKey, getRangeKey, getTableKey, getTextKey } from "../object-keys.ts";
import { type PageFindings, type PageRead, listPages } from "@partline/manual-reader";
import { getRange } from "../work/ranges.ts";

/** Counts; `imagesLeftOut` are too large or undecodable, `pagesScanned` are pictures. */
export const NOTHING = { parts: 0, tables: 0, images: 0, imagesLeftOut: 0, pagesScanned: 0 };
export type PageCounts = typeof NOTHING;

type Content = [key: string, content: string | Uint8Array, contentType: string];

/** Objects of a page; the embedded store syncs a folder once for several. */
const PUT_AT_ONCE = 4;

/** Keeps a page's text, tables and images under fixed keys. */
export async function keepPage(
  objects: ObjectStore,
  sha256: string,
  { findings, images, refusedImages }: PageRead,
): Promise<PageCounts> {
  const { page, text, tables, parts, isScanned } = findings;
  const drawn = images.filter((image) => "webp" in image);
  const contents: Content[] = [
    [getTextKey(sha256, page), text, "text/plain; charset=utf-8"],
    ...tables.flatMap((table): Content[] => [
      [getTableKey(sha256, page, table.index, "json"), JSON.stringify(table), "application/json"],
      [getTableKey(sha256, page, table.index, "csv"), toCsv(table.rows), "text/csv; charset=utf-8"],
    ]),
    ...drawn.map(({ index, webp }): Content => [getImageKey(sha256, page, index), webp, "image/webp"]),
  ];
  for (let from = 0; from < contents.length; from += PUT_AT_ONCE) {
    const puts = contents.slice(from, from + PUT_AT_ONCE).map((content) => putContent(objects, ...content));
    // None goes on after a failure, which a removal may follow.
    await Promise.allSettled(puts);
    await Promise.all(puts);
  }
  return {
    parts: parts.length,
    tables: tables.length,
    images: drawn.length,
    imagesLeftOut: images.length - drawn.length + refusedImages.length,
    pagesScanned: isScanned ? 1 : 0,
  };
}

export async function keepRange(
  objects: ObjectStore,
  sha256: string,
  range: number,
  pages: readonly PageFindings[],
): Promise<void> {
  // Page by page, so that the event loop stays free.
  const toLines = function* (): Generator<Uint8Array> {
    for (const page of pages) yield Buffer.from(`${JSON.stringify(page)}\n`);
  };
  await objects.put(getRangeKey(sha256, range), Readable.from(toLines()), { contentType: "application/x-ndjson" });
}

/** Puts what OCR read on a page in place of what was found there before. @throws what the object store throws */
export async function replacePage(objects: ObjectStore, sha256: string, findings: PageFindings): Promise<void> {
  const range = getRange(findings.page);
  const pages = listPages((await readObject(objects, getRangeKey(sha256, range))).toString());
  await keepRange(
    objects,
    sha256,
    range,
    pages.map((page) => (page.page === findings.page ? findings : page)),
  );
}

export async function putContent(
  objects: ObjectStore,
  key: string,
  content: string | Uint8Array,
  contentType: string,
): Promise<void> {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  // Streams take no empty chunk.
  await objects.put(key, Readable.from(bytes.length === 0 ? [] : [bytes]), { contentType });
}

/** `-5`, `+49 30`: tables have many, and none is a formula. */
const NUMBER = /^[+-]?[\d.,\s-]+$/;

export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => formatCsvLine(row, NUMBER)).join("");
}
