import { answerFile, type FileAnswer, type FileRequest } from "../../../broker/contract/file.ts";
import { notFound, PartlineError } from "../../../mixins/errors.ts";
import { KeyedQueue } from "@partline/toolkit";
import { type ObjectStore, readObject } from "@partline/durable";
import { drawingKey, imagesBelow, sourceKey, tablesBelow, textKey, undrawnKey } from "../object-keys.ts";
import type { PdfReader } from "@partline/manual-reader";
import { type ManualResults, placeOf } from "../results/manual-results.ts";
import { putWhole } from "../results/page-results.ts";
import type { LocalCopies } from "./local-copies.ts";

/** Milliseconds before another attempt: a busy machine may be the reason. */
const UNDRAWN_FOR_MS = 60 * 60_000;
/** Its hash is its address. */
const NEVER_CHANGES = "public, max-age=31536000, immutable";
/** Another reading may make it again; its tag shows a difference. */
const MAY_CHANGE = "public, max-age=300";

interface ManualFilesDeps {
  objects: ObjectStore;
  results: ManualResults;
  copies: LocalCopies;
  drawer: Pick<PdfReader, "draw">;
}

/** Public files of manuals. Each @throws NOT_FOUND, and what the object store throws */
export function createManualFiles({ objects, results, copies, drawer }: ManualFilesDeps) {
  /** Requests for one page share its drawing. */
  const drawing = new KeyedQueue();
  /** The source's tag is its hash; others change with the time of writing. */
  const answer = async (
    key: string,
    what: string,
    request: FileRequest,
    { type, tag, filename }: { type: string; tag?: string; filename?: string },
  ): Promise<FileAnswer> => {
    const found = await objects.head(key);
    if (!found) throw notFound(what);
    const { bytes, modifiedAt } = found;
    const etag = `"${tag ?? `${bytes.toString(36)}-${modifiedAt.getTime().toString(36)}`}"`;
    const cacheControl = tag ? NEVER_CHANGES : MAY_CHANGE;
    const shown = filename === undefined ? {} : { disposition: inlineAs(filename), policy: "sandbox" };
    return answerFile(request, { type, etag, bytes, cacheControl, ...shown }, (from, to) =>
      readObject(objects, key, { from, to }),
    );
  };
  const pageOf = async (sha256: string, page: number): Promise<void> => {
    const { pages = 0 } = await results.reading(sha256);
    if (page > pages) throw notFound(`Page ${page} of manual`, sha256);
  };
  const ofPage = async (sha256: string, page: number, ...file: Parameters<typeof answer>): Promise<FileAnswer> => {
    await pageOf(sha256, page);
    return answer(...file);
  };
  /** @throws NOT_FOUND if drawing failed not long ago */
  const isDrawn = async (sha256: string, page: number): Promise<boolean> => {
    if (await objects.head(drawingKey(sha256, page))) return true;
    const failed = await objects.head(undrawnKey(sha256, page));
    if (failed && Date.now() - failed.modifiedAt.getTime() < UNDRAWN_FOR_MS)
      throw undrawable(sha256, page, (await readObject(objects, failed.key)).toString());
    return false;
  };

  return {
    source: async (sha256: string, request: FileRequest) => {
      const { filename } = await results.reading(sha256);
      const facts = { type: "application/pdf", tag: sha256, filename };
      return answer(sourceKey(sha256), `Manual ${sha256}`, request, facts);
    },
    /** @param name `7-1.webp` */
    image: (sha256: string, name: string, request: FileRequest) => {
      const { page, index } = placeOf(name);
      const what = `Image ${page}-${index} of manual ${sha256}`;
      return ofPage(sha256, page, `${imagesBelow(sha256)}${name}`, what, request, { type: "image/webp" });
    },
    /** @param name `7-1.csv`, `7-1.json` */
    table: (sha256: string, name: string, request: FileRequest) => {
      const { page, index } = placeOf(name);
      const type = name.endsWith(".csv") ? "text/csv; charset=utf-8" : "application/json";
      const what = `Table ${page}-${index} of manual ${sha256}`;
      return ofPage(sha256, page, `${tablesBelow(sha256)}${name}`, what, request, { type, filename: name });
    },
    text: (sha256: string, page: number, request: FileRequest) =>
      ofPage(sha256, page, textKey(sha256, page), `The text of page ${page} of manual ${sha256}`, request, {
        type: "text/plain; charset=utf-8",
        filename: `${page}.txt`,
      }),
    /** NOT_FOUND also if the page cannot be drawn. @param draw draws a page that is not kept */
    page: async (sha256: string, page: number, request: FileRequest, draw: () => Promise<unknown>) => {
      await pageOf(sha256, page);
      if (!request.piece && !(await isDrawn(sha256, page))) await draw();
      return answer(drawingKey(sha256, page), `Page ${page} of manual ${sha256}`, request, { type: "image/webp" });
    },
    /** Draws and keeps a page, or why it cannot be drawn. @throws SERVICE_UNAVAILABLE if the process died */
    draw: (sha256: string, page: number) =>
      drawing.run(drawingKey(sha256, page), async () => {
        await pageOf(sha256, page);
        if (await isDrawn(sha256, page)) return;
        const drawn = await copies.use(sha256, (path) => drawer.draw(path, page));
        if (!("failed" in drawn)) {
          await putWhole(objects, drawingKey(sha256, page), drawn.webp, "image/webp");
          return;
        }
        const { code, reason } = drawn.failed;
        // Not the page's fault.
        if (code === "CRASHED")
          throw new PartlineError("SERVICE_UNAVAILABLE", `Page ${page} could not be drawn: ${reason}`);
        await putWhole(objects, undrawnKey(sha256, page), reason, "text/plain; charset=utf-8");
        throw undrawable(sha256, page, reason);
      }),
  };
}

function undrawable(sha256: string, page: number, reason: string): PartlineError {
  return new PartlineError("NOT_FOUND", `Page ${page} of manual ${sha256} cannot be drawn: ${reason}`);
}

/** RFC 6266: a plain name for all clients and the exact one. Neither can be a path. */
export function inlineAs(filename: string): string {
  const plain = filename.replaceAll(/[^\w .()-]/g, "_");
  const whole = encodeURIComponent(filename).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `inline; filename="${plain}"; filename*=UTF-8''${whole}`;
}
