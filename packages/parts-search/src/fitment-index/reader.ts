import { LRUCache } from "lru-cache";
import type { Collection, DocumentStore } from "@partline/durable";
import { normalizePartNumber } from "@partline/parts-language";
import { MOST_OF_A_NUMBER, ROWS, isOn, toReadingId, type DiagramOfManual, type RowDocument } from "./collections.ts";
import { Directories, type Directory, type LiveManual } from "./directory.ts";
import type { Model } from "./model-names.ts";
import { listSlips } from "../search-index/near-numbers.ts";

/** A part on one equipment, where a manual lists it; one listed as superseded is on the manual's. */
export interface FitmentRow extends Omit<RowDocument, "_id" | "reading" | "position" | "replacedByNorm" | "only"> {
  equipment: string;
  manufacturer?: string;
}

export interface DiagramRow extends DiagramOfManual {
  equipment: string;
  sha256: string;
}

export interface SupersessionRow {
  partNumber: string;
  sha256: string;
  page: number;
}

export interface PartRows {
  /** Rows of the number, then of the numbers that it replaces. */
  rows: FitmentRow[];
  /** Manuals list it in more rows than were read. */
  isCut: boolean;
  replacedBy: SupersessionRow[];
  replaces: SupersessionRow[];
}

export interface ModelRows {
  models: Model[];
  /** Rows by manual and page; cut at the limit. */
  rows: FitmentRow[];
  /** Count of all rows, also of those that were cut. */
  total: number;
}

/** Maximum rows in the cache, about 16 MB. */
const MOST_KEPT = 40_000;
const READ_AT_ONCE = 1_000;
/** Maximum rows of a model or family: about twenty manuals. */
export const MOST_OF_A_MODEL = 20_000;
/** Maximum similar numbers in an answer, and rows read for them. */
const MOST_NEAR = 3;
const MOST_OF_NEAR = 200;
/** Maximum length of a chain of successors. */
const MOST_STEPS = 5;

/** Looks up parts in manuals; each look-up sees every manual at one moment. */
export class FitmentReader {
  readonly #rows: Collection<RowDocument>;
  readonly #directories: Directories;
  /** Cache of rows by reading: a reading's rows never change. */
  readonly #rowsOf = new LRUCache<string, RowDocument[]>({
    maxSize: MOST_KEPT,
    sizeCalculation: ({ length }) => length + 1,
  });

  constructor(documents: DocumentStore, directories = new Directories(documents)) {
    this.#rows = documents.collection<RowDocument>(ROWS);
    this.#directories = directories;
  }

  getDirectory(): Promise<Directory> {
    return this.#directories.readNow();
  }

  /** Returns the parts of the model that was typed, or of all models of the family. */
  async readByModel(
    typed: string,
    { offset = 0, limit = MOST_OF_A_MODEL }: { offset?: number; limit?: number } = {},
  ): Promise<ModelRows> {
    return this.#look(async (directory, keep) => {
      const models = directory.models.match(typed);
      const rows: FitmentRow[] = [];
      let total = 0;
      for (const model of models) {
        for (const manual of directory.manualsOf(model)) {
          const count = manual.counts?.[manual.equipment.indexOf(model.equipment)] ?? 0;
          const from = Math.max(0, offset - total);
          total += count;
          // Rows outside the asked range are counted, not read.
          if (from >= count || rows.length >= limit) continue;
          const modelRows = (await this.#readRowsOfManual(manual, keep)).filter((row) => isOn(row, model.equipment));
          rows.push(
            ...modelRows
              .slice(from, from + limit - rows.length)
              .map((row) => toFitmentRow(row, manual, model.equipment)),
          );
        }
      }
      return { models, rows, total };
    });
  }

  /** Returns where a number, in any spelling, and the numbers that it replaces are listed. */
  async readByPart(partNumber: string): Promise<PartRows> {
    const pnNorm = normalizePartNumber(partNumber);
    if (pnNorm === "") return { rows: [], isCut: false, replacedBy: [], replaces: [] };
    return this.#look(async (directory) => {
      const { rows: ownRows, isCut } = await this.#readLive(directory, { pnNorm });
      const predecessors = await this.#followChain(directory, pnNorm, "replacedByNorm", "pnNorm");
      const successors = await this.#followChain(directory, pnNorm, "pnNorm", "replacedByNorm", ownRows);
      return {
        rows: [...ownRows, ...predecessors.rows].flatMap(({ row, manual }) => expand(row, manual)),
        isCut: isCut || predecessors.isCut,
        replacedBy: selectDistinct("replacedByNorm", successors.rows).map(({ row, manual }) =>
          toNote(row.replacedBy!, row, manual),
        ),
        replaces: selectDistinct("pnNorm", predecessors.rows).map(({ row, manual }) =>
          toNote(row.partNumber, row, manual),
        ),
      };
    });
  }

  /** Returns the first row of each number that is one typing slip away; at most three. */
  async findNearNumbers(pnNorm: string): Promise<FitmentRow[]> {
    return this.#look(async (directory) => {
      const { rows } = await this.#readLive(directory, { pnNorm: { $in: listSlips(pnNorm) } }, MOST_OF_NEAR);
      const near = selectDistinct("pnNorm", rows).slice(0, MOST_NEAR);
      return near.flatMap(({ row, manual }) => expand(row, manual).slice(0, 1));
    });
  }

  async findDiagramsByModel(typed: string, limit: number): Promise<DiagramRow[]> {
    return this.#look(async (directory) => {
      const matches: DiagramRow[] = [];
      for (const model of directory.models.match(typed)) {
        const { equipment } = model;
        for (const manual of directory.manualsOf(model)) {
          if (matches.length >= limit) break;
          // It spells the model in another way.
          if (!manual.equipment.includes(equipment)) continue;
          const modelDiagrams = (await this.#directories.readDiagrams(manual)).filter((diagram) =>
            isOn(diagram, equipment),
          );
          matches.push(...modelDiagrams.map((diagram) => ({ ...diagram, equipment, sha256: manual._id })));
        }
      }
      return matches.slice(0, limit);
    });
  }

  /** Returns the diagrams that list the part or a number that it replaces. */
  async findDiagramsByPart(partNumber: string, limit: number): Promise<DiagramRow[]> {
    const { rows } = await this.readByPart(partNumber);
    return this.#look(async (directory) => {
      const matches = new Map<string, DiagramRow>();
      const diagramsOf = new Map<string, DiagramOfManual[]>();
      for (const { sha256, figure, equipment } of rows) {
        const manual = directory.manuals.get(sha256);
        if (figure === undefined || !manual) continue;
        if (matches.size >= limit) break;
        const diagrams = diagramsOf.get(sha256) ?? (await this.#directories.readDiagrams(manual));
        diagramsOf.set(sha256, diagrams);
        const diagram = diagrams.find(({ key }) => key === figure);
        if (diagram) matches.set(`${sha256} ${figure} ${equipment}`, { ...diagram, equipment, sha256 });
      }
      return [...matches.values()];
    });
  }

  /** Caches what was read only if no manual changed meanwhile: rows of a replaced reading may be half removed. */
  async #look<T>(look: (directory: Directory, keep: Map<string, RowDocument[]>) => Promise<T>): Promise<T> {
    const {
      found: { value, read },
      isWhole,
    } = await this.#directories.readConsistently(async (directory) => {
      const rowsRead = new Map<string, RowDocument[]>();
      return { value: await look(directory, rowsRead), read: rowsRead };
    });
    if (isWhole) for (const [reading, rows] of read) this.#rowsOf.set(reading, rows);
    return value;
  }

  async #readRowsOfManual({ _id: sha256, live }: LiveManual, keep: Map<string, RowDocument[]>): Promise<RowDocument[]> {
    const id = toReadingId(sha256, live);
    const cached = this.#rowsOf.get(id) ?? keep.get(id);
    if (cached) return cached;
    const rows: RowDocument[] = [];
    for (let after = -1; ; after = rows.at(-1)!.position) {
      const batch = await this.#rows.find(
        { sha256, reading: live, position: { $gt: after } },
        { sort: { position: 1 }, limit: READ_AT_ONCE },
      );
      rows.push(...batch);
      if (batch.length < READ_AT_ONCE) break;
    }
    keep.set(id, rows);
    return rows;
  }

  async #readLive(
    { manuals }: Directory,
    filter: Parameters<Collection<RowDocument>["find"]>[0],
    limit = MOST_OF_A_NUMBER,
  ): Promise<LiveRows> {
    const matches = await this.#rows.find(filter, { limit: limit + 1 });
    const rows = matches.slice(0, limit).filter(({ sha256, reading }) => manuals.get(sha256)?.live === reading);
    rows.sort((a, b) => (a.sha256 === b.sha256 ? a.position - b.position : a.sha256 < b.sha256 ? -1 : 1));
    return { rows: rows.map((row) => ({ row, manual: manuals.get(row.sha256)! })), isCut: matches.length > limit };
  }

  /**
   * Returns the rows that lead from a number to others, link by link: from the `known` number of each to its `next`.
   */
  async #followChain(
    directory: Directory,
    start: string,
    knownField: "pnNorm" | "replacedByNorm",
    next: "pnNorm" | "replacedByNorm",
    first?: readonly LiveRow[],
  ): Promise<LiveRows> {
    const visited = new Set([start]);
    const chain: LiveRow[] = [];
    let isCut = false;
    let numbers = [start];
    for (let step = 0; step < MOST_STEPS && numbers.length > 0; step += 1) {
      const live =
        step === 0 && first
          ? { rows: first, isCut: false }
          : await this.#readLive(directory, { [knownField]: { $in: numbers } });
      isCut ||= live.isCut;
      const rows = live.rows.filter(({ row }) => row[next] !== undefined && !visited.has(row[next]));
      chain.push(...rows);
      numbers = [...new Set(rows.map(({ row }) => row[next]!))];
      for (const number of numbers) visited.add(number);
    }
    return { rows: chain, isCut };
  }
}

interface LiveRow {
  row: RowDocument;
  manual: LiveManual;
}

interface LiveRows {
  rows: LiveRow[];
  isCut: boolean;
}

function expand(row: RowDocument, manual: LiveManual): FitmentRow[] {
  return (row.only ?? manual.equipment).map((equipment) => toFitmentRow(row, manual, equipment));
}

function toFitmentRow(
  { _id, reading, position, replacedByNorm, only, ...listed }: RowDocument,
  { manufacturer }: LiveManual,
  equipment: string,
): FitmentRow {
  return { ...listed, equipment, manufacturer };
}

function toNote(partNumber: string, { page }: RowDocument, { _id: sha256 }: LiveManual): SupersessionRow {
  return { partNumber, sha256, page };
}

function selectDistinct(key: "pnNorm" | "replacedByNorm", rows: readonly LiveRow[]): LiveRow[] {
  return [...Map.groupBy(rows, ({ row }) => row[key]).values()].map(([first]) => first!);
}
