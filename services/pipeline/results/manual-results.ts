import { limitToMessage } from "../../../broker/contract/message.ts";
import { notFound } from "../../../mixins/errors.ts";
import { type DocumentStore, type ObjectStore, readJsonObject, readObject } from "@partline/durable";
import { getManualKey, getManualPrefix, getPartsPieceKey } from "../../shared/manual-objects.ts";
import type { ReadingDocument } from "../collections.ts";
import { correctRows, selectFigures, selectRows } from "../corrections/apply.ts";
import {
  type Correction,
  CORRECTIONS,
  type FigureCorrection,
  type FigureFields,
  getFigureId,
  getVersion,
  toCorrectionId,
} from "../corrections/correction.ts";
import { PARTS_PER_PIECE } from "../limits.ts";
import { getContentsKey, getImagesPrefix, getRangeKey, getTablesPrefix } from "../object-keys.ts";
import { type FoundPart, type Manual, type PageFindings, type PageLayout, listPages } from "@partline/manual-reader";
import { isBeingRecognised } from "../jobs/progress.ts";
import type { Readings } from "../readings.ts";
import { getRange } from "../work/ranges.ts";
import { putContent } from "./page-results.ts";
import { describePage, type PageSummary, SUMMARIES } from "./page-summaries.ts";

export type ManualResults = ReturnType<typeof createManualResults>;

/** Results of manuals. Each @throws NOT_FOUND without results, and what the object store throws */
export function createManualResults(objects: ObjectStore, readings: Readings, documents: DocumentStore) {
  const corrections = documents.collection<Correction>(CORRECTIONS);
  const getReading = async (sha256: string): Promise<ReadingDocument> => {
    const reading = await readings.withResults(sha256);
    if (!reading) throw notFound("Manual", sha256);
    return reading;
  };

  const readPiece = async (sha256: string, piece: number): Promise<FoundPart[]> =>
    (await readJsonObject<FoundPart[]>(objects, getPartsPieceKey(sha256, piece))) ?? [];

  const readSummaries = async (sha256: string): Promise<PageSummary[]> =>
    (await readJsonObject<PageSummary[]>(objects, `${getManualPrefix(sha256)}${SUMMARIES}`)) ?? [];

  return {
    reading: getReading,
    getManual: async (sha256: string): Promise<Manual> => {
      await getReading(sha256);
      const manual = await readJsonObject<Manual>(objects, getManualKey(sha256));
      if (!manual) throw notFound("Manual", sha256);
      return manual;
    },
    getContents: async (sha256: string): Promise<Contents> => {
      const { run } = await getReading(sha256);
      const key = getContentsKey(sha256, run);
      const stored = await readJsonObject<Contents>(objects, key);
      if (stored) return stored;
      const contents = {
        tables: await listPlaces(objects, getTablesPrefix(sha256), "json"),
        images: await listPlaces(objects, getImagesPrefix(sha256), "webp"),
      };
      // A list made during a removal is incomplete.
      const reading = await getReading(sha256);
      if (reading.run !== run) throw notFound("Manual", sha256);
      // The pages that OCR reads may have tables.
      if (isBeingRecognised(reading)) return contents;
      await putContent(objects, key, JSON.stringify(contents), "application/json");
      return contents;
    },
    /**
     * Returns what was read on a page, with all corrections; as many of its parts as fit into an answer.
     * @throws NOT_FOUND also without the page
     */
    getPage: async (sha256: string, page: number) => {
      const reading = await getReading(sha256);
      const { pages = 0, parts } = reading;
      if (page > pages) throw notFound(`Page ${page} of manual`, sha256);
      const pageCorrections = await corrections.find({ sha256, page }, { sort: { correctedAt: 1 } });
      const summary = (await readSummaries(sha256)).find((candidate) => candidate.page === page);
      const state = describePage(reading, page, summary);
      const isLookedAt = pageCorrections.length > 0 && state.check !== "unreadable";
      const applied = summary?.applied ?? [];
      const pageParts: FoundPart[] = [];
      // Parts are in the order of pages.
      for (let piece = 0; piece * PARTS_PER_PIECE < parts; piece += 1) {
        const pieceParts = await readPiece(sha256, piece);
        pageParts.push(...pieceParts.filter((part) => part.page === page));
        if ((pieceParts.at(-1)?.page ?? 0) > page) break;
      }
      const corrected = correctRows(
        { parts: pageParts, applied },
        selectRows(pageCorrections),
        reading.machine?.manufacturer,
      );
      const { width = null, height = null, tables } = (await readFindings(objects, sha256, page)) ?? { tables: [] };
      return {
        width,
        height,
        tables: tables.length,
        state: isLookedAt ? { ...state, check: null } : state,
        parts: limitToMessage(corrected.parts),
        figures: nameFigures(page, summary?.figures ?? [], selectFigures(pageCorrections), applied),
        corrections: pageCorrections.map((correction) => ({
          correction,
          state: getState(correction, applied, reading),
        })),
      };
    },
    /** Returns where the rows of lists and the numbers of drawings are on a page, as it was read. */
    getLayout: async (sha256: string, page: number): Promise<PageLayout> => {
      const { height, parts, figures } = (await readFindings(objects, sha256, page)) ?? { parts: [], figures: [] };
      const callouts = figures.flatMap(({ places = [] }) =>
        places.map(({ box: { y: top, height: share } }) => ({ top, bottom: top + share })),
      );
      if (height === undefined) return { rows: [], callouts };
      return {
        rows: parts.map(({ box }) => ({ top: box.y / height, bottom: (box.y + box.height) / height })),
        callouts,
      };
    },
    readSummaries,
    /** Lists the corrections, each with its state. */
    getCorrections: async (sha256: string) => {
      const reading = await getReading(sha256);
      const applied = (await readSummaries(sha256)).flatMap((summary) => summary.applied ?? []);
      const allCorrections = await corrections.find({ sha256 }, { sort: { page: 1, correctedAt: 1 } });
      return allCorrections.map((correction) => ({ correction, state: getState(correction, applied, reading) }));
    },
    /** Reads parts from a position; fewer than `most` do not mean the end. */
    readParts: async (sha256: string, from: number, most: number): Promise<FoundPart[]> => {
      const { parts } = await getReading(sha256);
      if (from >= parts) return [];
      const pieceParts = await readPiece(sha256, Math.floor(from / PARTS_PER_PIECE));
      const start = from % PARTS_PER_PIECE;
      return limitToMessage(pieceParts.slice(start, start + most));
    },
  };
}

function getState(
  correction: Correction,
  applied: readonly string[],
  { unneeded = [], correctedUntil = correction.correctedAt }: ReadingDocument,
): "under_way" | "applied" | "not_needed" {
  const version = getVersion(correction);
  // The files of the manual are written before its reading, by which its parts are counted.
  if (!applied.includes(version) || correction.correctedAt > correctedUntil) return "under_way";
  return unneeded.includes(version) ? "not_needed" : "applied";
}

/** Returns the figures of a page as staff corrected them, each with its id and its correction. */
function nameFigures(
  page: number,
  figures: readonly FigureFields[],
  corrections: readonly FigureCorrection[],
  applied: readonly string[],
): (FigureFields & { id: string; correction?: string })[] {
  const isNamed = (figure: FigureFields, { label, title }: FigureFields): boolean =>
    figure.label === label && figure.title === title;
  return figures.map((figure) => {
    const correction = corrections.find(
      (candidate) =>
        isNamed(figure, { ...candidate.original, ...candidate.changes }) ||
        (!applied.includes(getVersion(candidate)) && isNamed(figure, candidate.original)),
    );
    const { label, title } = { ...figure, ...correction?.changes };
    return correction
      ? { label, title, id: getVersion(correction), correction: toCorrectionId(correction._id) }
      : { label, title, id: getFigureId(page, figure) };
  });
}

/** Reads the findings of a page by itself; undefined if it could not be read. */
async function readFindings(objects: ObjectStore, sha256: string, page: number): Promise<PageFindings | undefined> {
  const key = getRangeKey(sha256, getRange(page));
  if (!(await objects.head(key))) return undefined;
  return listPages((await readObject(objects, key)).toString()).find((findings) => findings.page === page);
}

/** Page and index of a table or image, from 1. */
interface Place {
  page: number;
  index: number;
}

/** Tables and images of a manual, in the order of pages. */
export interface Contents {
  tables: Place[];
  images: Place[];
}

async function listPlaces(objects: ObjectStore, prefix: string, form: string): Promise<Place[]> {
  const places: Place[] = [];
  for await (const { key } of objects.list(prefix)) {
    if (key.endsWith(`.${form}`)) places.push(parsePlace(key.slice(prefix.length)));
  }
  return places.sort((a, b) => a.page - b.page || a.index - b.index);
}

/** Parses the place in a name: `7-1.webp`. */
export function parsePlace(name: string): Place {
  const [page = 0, index = 0] = name.split("-").map((part) => Number.parseInt(part, 10));
  return { page, index };
}
