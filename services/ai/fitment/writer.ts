import {
  type Collection,
  type Document,
  type DocumentStore,
  type Filter,
  hasStoreCode,
  type Update,
} from "@partline/durable";
import type { ManualFile, ManualPart } from "@partline/manual-reader";
import type { ManualSource } from "../manual-source.ts";
import {
  CALLOUTS,
  type CalloutsDocument,
  DIAGRAMS,
  type DiagramsDocument,
  FITMENT_STATE,
  type FitmentState,
  isOn,
  type ManualDocument,
  MANUALS,
  toReadingId,
  type RowDocument,
  ROWS,
} from "@partline/parts-search";
import type { SerialRange } from "@partline/parts-language";
import { resolveEquipment, createQuantityResolver } from "./equipment-of-manual.ts";
import { toCalloutDocuments, type DrawnPage, toDiagrams, toRows, dropRepeats } from "./fitment-rows.ts";

/** Rows removed in one write, so that other writers get their turn. */
const REMOVED_AT_ONCE = 500;
const MOST_SWITCHES = 50;
/** Pages whose callouts are written at once. */
const PAGES_AT_ONCE = 100;

/** Data of a manual's pages beside its parts. */
export interface PageFacts {
  onlyOfPage: ReadonlyMap<number, string[]>;
  serialsOfFigure: ReadonlyMap<string, SerialRange[]>;
  /** Pages with callouts. */
  drawn: readonly DrawnPage[];
}

/**
 * Writes the fitment index. Each reading of a manual writes rows beside the live ones and takes their place in one
 * write, unless a later one has begun: no reader sees half a manual, or leftovers of a crash.
 */
export function createFitmentWriter(documents: DocumentStore) {
  const manuals = documents.collection<ManualDocument>(MANUALS);
  const rows = documents.collection<RowDocument>(ROWS);
  const diagrams = documents.collection<DiagramsDocument>(DIAGRAMS);
  const callouts = documents.collection<CalloutsDocument>(CALLOUTS);
  const state = documents.collection<FitmentState>(FITMENT_STATE);

  return { isOutdated, write, remove };

  /** Returns whether that run was removed, or a later one is known. */
  async function isOutdated(sha256: string, run: number): Promise<boolean> {
    const manual = await manuals.findOne({ _id: sha256 });
    return manual !== null && isBehind(manual, run);
  }

  /**
   * @param run the pipeline's run that read the manual @returns false if that run was removed or a later one is known:
   * nothing was written @throws Error if another reading has begun meanwhile; what the source throws
   */
  async function write(
    manual: ManualFile,
    run: number,
    source: Pick<ManualSource, "readParts">,
    { onlyOfPage, serialsOfFigure, drawn }: PageFacts,
  ): Promise<boolean> {
    const { sha256, figures } = manual;
    const startedManual = await manuals.findOneAndUpdate(
      { _id: sha256 },
      { $inc: { begun: 1 }, $setOnInsert: toManualFields(manual) },
      { upsert: true },
    );
    if (isBehind(startedManual!, run)) return false;
    const { begun: reading } = startedManual!;
    const equipment = resolveEquipment(manual);
    const counts = equipment.map(() => 0);
    const quantityOf = createQuantityResolver({ ...manual, equipment }, manual.title);
    let position = 0;
    for await (const parts of groupWholePages(source.readParts(manual))) {
      const pieceRows = toRows(dropRepeats(parts), position, { sha256, reading, figures, onlyOfPage, quantityOf });
      await insertAll(rows, pieceRows);
      for (const row of pieceRows)
        for (const [index, model] of equipment.entries()) if (isOn(row, model)) counts[index]! += 1;
      position += pieceRows.length;
    }
    await diagrams.insertOne({
      _id: toReadingId(sha256, reading),
      sha256,
      reading,
      diagrams: toDiagrams(manual, onlyOfPage, serialsOfFigure),
    });
    for (let from = 0; from < drawn.length; from += PAGES_AT_ONCE) {
      await insertAll(callouts, toCalloutDocuments(drawn.slice(from, from + PAGES_AT_ONCE), { sha256, reading }));
    }
    await switchTo(sha256, reading, {
      $set: { ...toManualFields(manual), counts, live: reading, run, readAt: new Date() },
      ...(manual.manufacturer === undefined ? { $unset: { manufacturer: true } } : {}),
    });
    await removeBefore(sha256, reading);
    return true;
  }

  /**
   * Removes a manual up to the pipeline's run `run`, with a reading that is under way. Its empty document stays, so
   * that readers notice and a late event does not index it again. @returns false if it was read again since: that stays
   * @throws Error if another reading has begun meanwhile
   */
  async function remove(sha256: string, run: number): Promise<boolean> {
    const empty = { title: "", filename: "", equipment: [], pages: 0 };
    await manuals.updateOne({ _id: sha256 }, { $setOnInsert: { ...empty, begun: 0 } }, { upsert: true });
    // Before the next reading begins, which checks it.
    await manuals.updateOne(
      { _id: sha256, $or: [{ removedRun: { $exists: false } }, { removedRun: { $lt: run } }] },
      { $set: { removedRun: run } },
    );
    const manual = await manuals.findOneAndUpdate(
      { _id: sha256, $or: [{ run: { $exists: false } }, { run: { $lte: run } }] },
      { $inc: { begun: 1 } },
    );
    if (!manual) return false;
    const { begun: reading, live } = manual;
    const nothing: Update = {
      $set: empty,
      $unset: { live: true, run: true, counts: true, manufacturer: true, readAt: true },
    };
    if (live !== undefined) await switchTo(sha256, reading, nothing);
    await removeBefore(sha256, reading);
    return true;
  }

  /**
   * Changes which rows of a manual count, in one write with the revision. @throws Error if another reading has begun
   */
  async function switchTo(sha256: string, reading: number, update: Update): Promise<void> {
    await state.updateOne({ _id: "fitment" }, { $setOnInsert: { revision: 0 } }, { upsert: true });
    for (let attempt = 1; ; attempt += 1) {
      const { revision } = (await state.findOne({ _id: "fitment" }))!;
      const next = revision + 1;
      try {
        await documents.atomically([
          {
            collection: MANUALS,
            require: true,
            updateOne: {
              filter: { _id: sha256, begun: reading },
              update: { ...update, $set: { ...update.$set, revision: next } },
            },
          },
          {
            collection: FITMENT_STATE,
            require: true,
            updateOne: { filter: { _id: "fitment", revision }, update: { $set: { revision: next } } },
          },
        ]);
        return;
      } catch (error) {
        if (!hasStoreCode(error, "CONDITION_FAILED") || attempt === MOST_SWITCHES) throw error;
        if (error.failedAt === 0)
          throw new Error(`Another reading of manual ${sha256} was begun meanwhile`, { cause: error });
        // Another manual changed at the same moment.
      }
    }
  }

  /** Removes the rows of earlier readings: replaced, or cut off by a crash. */
  async function removeBefore(sha256: string, reading: number): Promise<void> {
    const olderReadings = { sha256, reading: { $lt: reading } };
    await removeInPieces(rows, olderReadings);
    await diagrams.deleteMany(olderReadings);
    await removeInPieces(callouts, olderReadings);
  }
}

async function insertAll<T extends Document>(into: Collection<T>, documents: readonly T[]): Promise<void> {
  for (const result of await into.bulkWrite(documents.map((document) => ({ insertOne: document }))))
    if (!result.ok) throw result.error;
}

async function removeInPieces<T extends Document>(from: Collection<T>, filter: Filter): Promise<void> {
  for (;;) {
    const batch = await from.find(filter, { limit: REMOVED_AT_ONCE });
    await from.bulkWrite(batch.map(({ _id }) => ({ deleteOne: { filter: { _id } } })));
    if (batch.length < REMOVED_AT_ONCE) return;
  }
}

function toManualFields({ title, filename, equipment, pages, manufacturer, listPictures = 0 }: ManualFile) {
  const models = resolveEquipment({ equipment, title, filename });
  return { title, filename, equipment: models, pages, manufacturer, listPictures };
}

function isBehind({ run: liveRun = 0, removedRun = 0 }: ManualDocument, run: number): boolean {
  return liveRun > run || removedRun >= run;
}

/** Yields parts by whole pages: the last page of a piece waits for the next piece. */
async function* groupWholePages(pieces: AsyncIterable<readonly ManualPart[]>): AsyncGenerator<ManualPart[]> {
  let pending: ManualPart[] = [];
  for await (const piece of pieces) {
    const parts = [...pending, ...piece];
    const last = parts.at(-1)?.page;
    const cut = parts.findIndex(({ page }) => page === last);
    if (cut > 0) yield parts.slice(0, cut);
    pending = cut > 0 ? parts.slice(cut) : parts;
  }
  if (pending.length > 0) yield pending;
}
