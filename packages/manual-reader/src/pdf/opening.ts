import { PDFParse } from "pdf-parse";
import { getDocument, type PDFDocumentLoadingTask } from "pdfjs-dist/legacy/build/pdf.mjs";

/**
 * pdf-parse with a loading task at hand. Its own drops the task of a file that fails to open, which alone frees the
 * file's memory, and its `destroy` calls a method that pdf.js 6 does not have.
 */
export class OpeningPdf extends PDFParse {
  readonly #loading: PDFDocumentLoadingTask;

  constructor(source: Parameters<typeof getDocument>[0]) {
    super({});
    this.#loading = getDocument(source);
    // What pdf-parse has it does not load.
    this["doc"] = this.#loading.promise;
  }

  get document(): PDFDocumentLoadingTask["promise"] {
    return this.#loading.promise;
  }

  override destroy(): Promise<void> {
    return this.#loading.destroy();
  }
}
