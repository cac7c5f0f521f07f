import type { OutlineNode } from "pdf-parse";
import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { asSeen, onOneLine } from "@partline/parts-language";
import type { OpeningPdf } from "./opening.ts";

/** What a file says of itself. */
export interface PdfFacts {
  pages: number;
  title?: string;
  author?: string;
  /** The first entries of its outline, without those that lead to no page. */
  chapters: Chapter[];
}

export interface Chapter {
  title: string;
  /** From 1. */
  page: number;
}

const MAX_CHAPTERS = 100;
const MAX_TITLE_LENGTH = 120;

/** @throws pdf.js's exceptions if the file cannot be opened */
export async function readFacts(opening: OpeningPdf): Promise<PdfFacts> {
  const info = await opening.getInfo();
  const { Title, Author } = info.info as { Title?: unknown; Author?: unknown };
  return {
    pages: info.total,
    title: cleanTitle(Title) || cleanTitle(info.metadata?.get("dc:title")) || undefined,
    author: cleanTitle(Author) || undefined,
    chapters: await readChapters(await opening.document, info.outline ?? []),
  };
}

async function readChapters(pdf: PDFDocumentProxy, outline: readonly OutlineNode[]): Promise<Chapter[]> {
  const [root, second] = outline;
  // Often the book itself is the only entry, and its chapters are below.
  const entries = root && !second && root.items.length > 0 ? (root.items as OutlineNode[]) : outline;
  const chapters: Chapter[] = [];
  for (const { title, dest } of entries.slice(0, MAX_CHAPTERS)) {
    const page = await findPage(pdf, dest);
    const name = cleanTitle(title);
    if (page !== undefined && name !== "") chapters.push({ title: name, page });
  }
  return chapters;
}

/** Undefined if the destination is outside the file, or on no page that can be found. */
async function findPage(pdf: PDFDocumentProxy, dest: OutlineNode["dest"]): Promise<number | undefined> {
  try {
    const [target] = ((typeof dest === "string" ? await pdf.getDestination(dest) : dest) ?? []) as unknown[];
    const index = typeof target === "object" && target !== null ? await pdf.getPageIndex(target as PageRef) : target;
    return Number.isInteger(index) && (index as number) >= 0 && (index as number) < pdf.numPages
      ? (index as number) + 1
      : undefined;
  } catch {
    // pdf.js has no code for a page that its tree does not hold.
    return undefined;
  }
}

type PageRef = Parameters<PDFDocumentProxy["getPageIndex"]>[0];

function cleanTitle(title: unknown): string {
  return typeof title === "string" ? onOneLine(asSeen(title)).slice(0, MAX_TITLE_LENGTH).toWellFormed() : "";
}
