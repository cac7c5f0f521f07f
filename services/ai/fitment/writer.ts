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
  readingId,
  type RowDocument,
  ROWS,
} from "@partline/parts-search";
import type { SerialRange } from "@partline/parts-language";
import { equipmentOf, quantitiesBy } from "./equipment-of-manual.ts";
import { calloutsOf, type DrawnPage, diagramsOf, rowsOf, withoutRepeats } from "./fitment-rows.ts";

/** Rows removed in one write, so that other writers get their turn. */
const REMOVED_AT_ONCE = 500;
const MOST_SWITCHES = 50;
/** Pages whose callouts are written at once. */
const PAGES_AT_ONCE = 100;

/** What a manual's pages say beside its parts. */
export interface OfPages {
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
    const known = await manuals.findOne({ _id: sha256 });
    return known !== null && isBehind(known, run);
  }

  /**
   * @param run the pipeline's run that read the manual @returns false if that run was removed or a later one is known:
   * nothing was written @throws Error if another reading has begun meanwhile; what the source throws
   */
  async function write(
    manual: ManualFile,
    run: number,
    source: Pick<ManualSource, "parts">,
    { onlyOfPage, serialsOfFigure, drawn }: OfPages,
  ): Promise<boolean> {
    const { sha256, figures } = manual;
    const begun = await manuals.findOneAndUpdate(
      { _id: sha256 },
      { $inc: { begun: 1 }, $setOnInsert: aboutOf(manual) },
      { upsert: true },
    );
    if (isBehind(begun!, run)) return false;
    const { begun: reading } = begun!;
    const equipment = equipmentOf(manual);
    const counts = equipment.map(() => 0);
    const quantityOf = quantitiesBy({ ...manual, equipment });
    let position = 0;
    for await (const parts of byWholePages(source.parts(manual))) {
      const own = rowsOf(withoutRepeats(parts), position, { sha256, reading, figures, onlyOfPage, quantityOf });
      await insertAll(rows, own);
      for (const row of own) for (const [at, model] of equipment.entries()) if (isOn(row, model)) counts[at]! += 1;
      position += own.length;
    }
    await diagrams.insertOne({
      _id: readingId(sha256, reading),
      sha256,
      reading,
      diagrams: diagramsOf(manual, onlyOfPage, serialsOfFigure),
    });
    for (let from = 0; from < drawn.length; from += PAGES_AT_ONCE) {
      await insertAll(callouts, calloutsOf(drawn.slice(from, from + PAGES_AT_ONCE), { sha256, reading }));
    }
    await switchTo(sha256, reading, {
      $set: { ...aboutOf(manual), counts, live: reading, run, readAt: new Date() },
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
    const { begun, live } = manual;
    const nothing: Update = {
      $set: empty,
      $unset: { live: true, run: true, counts: true, manufacturer: true, readAt: true },
    };
    if (live !== undefined) await switchTo(sha256, begun, nothing);
    await removeBefore(sha256, begun);
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
    const before = { sha256, reading: { $lt: reading } };
    await removeInPieces(rows, before);
    await diagrams.deleteMany(before);
    await removeInPieces(callouts, before);
  }
}

async function insertAll<T extends Document>(into: Collection<T>, all: readonly T[]): Promise<void> {
  for (const result of await into.bulkWrite(all.map((each) => ({ insertOne: each }))))
    if (!result.ok) throw result.error;
}

async function removeInPieces<T extends Document>(from: Collection<T>, filter: Filter): Promise<void> {
  for (;;) {
    const some = await from.find(filter, { limit: REMOVED_AT_ONCE });
    await from.bulkWrite(some.map(({ _id }) => ({ deleteOne: { filter: { _id } } })));
    if (some.length < REMOVED_AT_ONCE) return;
  }
}

function aboutOf({ title, filename, equipment, pages, manufacturer }: ManualFile) {
  return { title, filename, equipment: equipmentOf({ equipment, title, filename }), pages, manufacturer };
}

function isBehind({ run: known = 0, removedRun = 0 }: ManualDocument, run: number): boolean {
  return known > run || removedRun >= run;
}

/** Yields parts by whole pages: the last page of a piece waits for the next piece. */
async function* byWholePages(pieces: AsyncIterable<readonly ManualPart[]>): AsyncGenerator<ManualPart[]> {
  let held: ManualPart[] = [];
  for await (const piece of pieces) {
    const all = [...held, ...piece];
    const last = all.at(-1)?.page;
    const cut = all.findIndex(({ page }) => page === last);
    if (cut > 0) yield all.slice(0, cut);
    held = cut > 0 ? all.slice(cut) : all;
  }
  if (held.length > 0) yield held;
}
