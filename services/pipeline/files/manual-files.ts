import { answerFile, type FileAnswer, type FileRequest } from "../../../broker/contract/file.ts";
import { notFound, PartlineError } from "../../../mixins/errors.ts";
import { KeyedQueue } from "@partline/toolkit";
import { type ObjectStore, readObject } from "@partline/durable";
import {
  getCropKey,
  getDrawingKey,
  getImagesPrefix,
  getSourceKey,
  getTablesPrefix,
  getTextKey,
  getUndrawnKey,
} from "../object-keys.ts";
import { cropDrawing, type PdfReader } from "@partline/manual-reader";
import { type ManualResults, parsePlace } from "../results/manual-results.ts";
import { putContent } from "../results/page-results.ts";
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

/** Creates the readers of manuals' public files. Each @throws NOT_FOUND, and what the object store throws */
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
    const metadata = await objects.head(key);
    if (!metadata) throw notFound(what);
    const { bytes, modifiedAt } = metadata;
    const etag = `"${tag ?? `${bytes.toString(36)}-${modifiedAt.getTime().toString(36)}`}"`;
    const cacheControl = tag ? NEVER_CHANGES : MAY_CHANGE;
    const contentOptions =
      filename === undefined ? {} : { disposition: toInlineDisposition(filename), policy: "sandbox" };
    return answerFile(request, { type, etag, bytes, cacheControl, ...contentOptions }, (from, to) =>
      readObject(objects, key, { from, to }),
    );
  };
  const assertPage = async (sha256: string, page: number): Promise<void> => {
    const { pages = 0 } = await results.reading(sha256);
    if (page > pages) throw notFound(`Page ${page} of manual`, sha256);
  };
  const answerPageFile = async (
    sha256: string,
    page: number,
    ...file: Parameters<typeof answer>
  ): Promise<FileAnswer> => {
    await assertPage(sha256, page);
    return answer(...file);
  };
  /** @throws NOT_FOUND if drawing failed not long ago */
  const isDrawn = async (sha256: string, page: number): Promise<boolean> => {
    if (await objects.head(getDrawingKey(sha256, page))) return true;
    const failed = await objects.head(getUndrawnKey(sha256, page));
    if (failed && Date.now() - failed.modifiedAt.getTime() < UNDRAWN_FOR_MS)
      throw createDrawError(sha256, page, (await readObject(objects, failed.key)).toString());
    return false;
  };

  return {
    getSource: async (sha256: string, request: FileRequest) => {
      const { filename } = await results.reading(sha256);
      const facts = { type: "application/pdf", tag: sha256, filename };
      return answer(getSourceKey(sha256), `Manual ${sha256}`, request, facts);
    },
    /** @param name `7-1.webp` */
    getImage: (sha256: string, name: string, request: FileRequest) => {
      const { page, index } = parsePlace(name);
      const what = `Image ${page}-${index} of manual ${sha256}`;
      return answerPageFile(sha256, page, `${getImagesPrefix(sha256)}${name}`, what, request, { type: "image/webp" });
    },
    /** @param name `7-1.csv`, `7-1.json` */
    getTable: (sha256: string, name: string, request: FileRequest) => {
      const { page, index } = parsePlace(name);
      const type = name.endsWith(".csv") ? "text/csv; charset=utf-8" : "application/json";
      const what = `Table ${page}-${index} of manual ${sha256}`;
      return answerPageFile(sha256, page, `${getTablesPrefix(sha256)}${name}`, what, request, { type, filename: name });
    },
    getText: (sha256: string, page: number, request: FileRequest) =>
      answerPageFile(sha256, page, getTextKey(sha256, page), `The text of page ${page} of manual ${sha256}`, request, {
        type: "text/plain; charset=utf-8",
        filename: `${page}.txt`,
      }),
    /** Gets a page as a picture; NOT_FOUND also if it cannot be drawn. @param draw draws a page that is not kept */
    getPage: async (sha256: string, page: number, request: FileRequest, draw: () => Promise<unknown>) => {
      await assertPage(sha256, page);
      if (!request.piece && !(await isDrawn(sha256, page))) await draw();
      return answer(getDrawingKey(sha256, page), `Page ${page} of manual ${sha256}`, request, {
        type: "image/webp",
      });
    },
    /** Gets what is drawn on a page, small, as `getPage` does. */
    getDrawing: async (sha256: string, page: number, request: FileRequest, draw: () => Promise<unknown>) => {
      await assertPage(sha256, page);
      const key = getCropKey(sha256, page);
      if (!request.piece && !(await objects.head(key))) {
        if (!(await isDrawn(sha256, page))) await draw();
        await drawing.run(key, async () => {
          if (await objects.head(key)) return;
          const picture = await readObject(objects, getDrawingKey(sha256, page));
          await putContent(
            objects,
            key,
            await cropDrawing(picture, await results.getLayout(sha256, page)),
            "image/webp",
          );
        });
      }
      return answer(key, `Page ${page} of manual ${sha256}`, request, { type: "image/webp" });
    },
    /** Draws and keeps a page, or why it cannot be drawn. @throws SERVICE_UNAVAILABLE if the process died */
    draw: (sha256: string, page: number) =>
      drawing.run(getDrawingKey(sha256, page), async () => {
        await assertPage(sha256, page);
        if (await isDrawn(sha256, page)) return;
        const drawn = await copies.use(sha256, (path) => drawer.draw(path, page));
        if (!("failed" in drawn)) {
          await putContent(objects, getDrawingKey(sha256, page), drawn.webp, "image/webp");
          return;
        }
        const { code, reason } = drawn.failed;
        // Not the page's fault.
        if (code === "CRASHED")
          throw new PartlineError("SERVICE_UNAVAILABLE", `Page ${page} could not be drawn: ${reason}`);
        await putContent(objects, getUndrawnKey(sha256, page), reason, "text/plain; charset=utf-8");
        throw createDrawError(sha256, page, reason);
      }),
  };
}

function createDrawError(sha256: string, page: number, reason: string): PartlineError {
  return new PartlineError("NOT_FOUND", `Page ${page} of manual ${sha256} cannot be drawn: ${reason}`);
}

/** Formats a name by RFC 6266: a plain one for all clients and the exact one. Neither can be a path. */
export function toInlineDisposition(filename: string): string {
  const plain = filename.replaceAll(/[^\w .()-]/g, "_");
  const encoded = encodeURIComponent(filename).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `inline; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
