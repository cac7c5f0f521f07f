import { createHash } from "node:crypto";
import type { Collection, DocumentStore, Filter } from "@partline/durable";
import { CALLOUTS, ROWS, isOn, type CalloutsDocument, type DiagramOfManual, type RowDocument } from "./collections.ts";
import type { PlacedCallout } from "@partline/manual-reader";
import type { Directories, Directory, LiveManual } from "./directory.ts";
import { makeAndModel, type Model } from "./model-names.ts";

export interface FigureRow extends DiagramOfManual {
  sha256: string;
  manual: LiveManual;
}

/** A callout with the rows that it leads to: parts to choose from, or one for each model. */
export interface LinkedCallout extends PlacedCallout {
  page: number;
  /** Key of its figure. */
  figure: string;
  rows: RowDocument[];
}

/** Maximum rows of one figure and drawings that are read, and manuals of one model for its figures. */
const MOST_ROWS = 2_000;
const MOST_DRAWINGS = 200;
const MOST_MANUALS = 100;

/** Returns the id of a figure, which stays when its manual is read again. */
export function toFigureId({ sha256, key }: Pick<FigureRow, "sha256" | "key">): string {
  return `${sha256}-${createHash("sha256").update(key).digest("hex").slice(0, 12)}`;
}

/** Looks up figures, their parts and callouts; each look-up sees every manual at one moment. */
export class FigureReader {
  readonly #rows: Collection<RowDocument>;
  readonly #drawings: Collection<CalloutsDocument>;
  readonly #directories: Directories;

  constructor(documents: DocumentStore, directories: Directories) {
    this.#rows = documents.collection<RowDocument>(ROWS);
    this.#drawings = documents.collection<CalloutsDocument>(CALLOUTS);
    this.#directories = directories;
  }

  /** Returns the figures of models that were typed in full, manual by manual; undefined without such a model. */
  async readByModel(typed: string): Promise<{ model: Model; figures: FigureRow[] }[] | undefined> {
    return this.#look(async ({ models, manualsOf }) => {
      const matches = [...new Map(models.findNamed(typed).map((model) => [makeAndModel(model), model])).values()];
      if (matches.length === 0) return undefined;
      return Promise.all(
        matches.map(async (model) => {
          const manuals = manualsOf(model).slice(0, MOST_MANUALS);
          const figures = await Promise.all(manuals.map((manual) => this.#readFigures(manual)));
          return { model, figures: figures.flat().filter((figure) => isOnModel(figure, model, figure.manual)) };
        }),
      );
    });
  }

  /** Returns a figure with its rows in the order of the manual, at most 2,000, and its callouts on all pages. */
  async readWhole(
    id: string,
  ): Promise<{ figure: FigureRow; rows: RowDocument[]; callouts: LinkedCallout[] } | undefined> {
    return this.#look(async ({ manuals }) => {
      const manual = manuals.get(id.slice(0, 64));
      const figure = manual && (await this.#readFigures(manual)).find((candidate) => toFigureId(candidate) === id);
      if (!figure) return undefined;
      const [rows, drawn] = await Promise.all([
        this.#readRows(manual, [figure.key]),
        this.#readDrawings(manual, { figure: figure.key }),
      ]);
      return { figure, rows, callouts: linkCallouts(drawn, rows) };
    });
  }

  /** Returns the figures and callouts of a page; undefined if no manual has it. */
  async page(
    sha256: string,
    page: number,
  ): Promise<{ manual: LiveManual; figures: FigureRow[]; callouts: LinkedCallout[] } | undefined> {
    return this.#look(async ({ manuals }) => {
      const manual = manuals.get(sha256);
      if (!manual || page > manual.pages) return undefined;
      const [figures, callouts] = await Promise.all([this.#readFigures(manual), this.#readCallouts(manual, { page })]);
      return { manual, figures: figures.filter((figure) => figure.page === page), callouts };
    });
  }

  /** Returns the callouts of figures of one manual, on all their pages. */
  async callouts(sha256: string, figures: readonly string[]): Promise<LinkedCallout[]> {
    return this.#look(async ({ manuals }) => {
      const manual = manuals.get(sha256);
      return manual ? this.#readCallouts(manual, { figure: { $in: [...figures] } }) : [];
    });
  }

  async #readCallouts(manual: LiveManual, filter: Filter): Promise<LinkedCallout[]> {
    const drawn = await this.#readDrawings(manual, filter);
    const keys = [...new Set(drawn.map(({ figure }) => figure))].filter((figure) => figure !== "");
    return linkCallouts(drawn, keys.length === 0 ? [] : await this.#readRows(manual, keys));
  }

  #readDrawings({ _id: sha256, live }: LiveManual, filter: Filter): Promise<CalloutsDocument[]> {
    return this.#drawings.find({ sha256, reading: live, ...filter }, { sort: { page: 1 }, limit: MOST_DRAWINGS });
  }

  async #look<T>(look: (directory: Directory) => Promise<T>): Promise<T> {
    return (await this.#directories.readConsistently(look)).found;
  }

  async #readFigures(manual: LiveManual): Promise<FigureRow[]> {
    const diagrams = await this.#directories.readDiagrams(manual);
    return diagrams.map((diagram) => ({ ...diagram, sha256: manual._id, manual }));
  }

  async #readRows({ _id: sha256, live }: LiveManual, figures: readonly string[]): Promise<RowDocument[]> {
    const rows = await this.#rows.find(
      { sha256, reading: live, figure: { $in: [...figures] } },
      { limit: MOST_ROWS * figures.length },
    );
    return rows.filter(({ isSupersession }) => !isSupersession).sort((a, b) => a.position - b.position);
  }
}

/** Finds the rows of callouts: those of the same figure with the same number, also on other pages. */
export function groupRowsByCallout<Row extends { figure?: string; reference?: string }>(
  rows: readonly Row[],
): (callout: { figure: string; ref: string }) => Row[] {
  const numbered = rows.filter(({ figure, reference }) => figure !== undefined && reference !== undefined);
  const rowsByKey = Map.groupBy(numbered, ({ figure, reference }) => toKey(figure!, reference!));
  return ({ figure, ref }) => rowsByKey.get(toKey(figure, ref)) ?? [];
}

/** `(05a)` in a drawing is `5A` in the list. */
function toKey(figure: string, ref: string): string {
  const plain = ref.toUpperCase().replace(/[^\p{L}\d]/gu, "");
  return `${figure}\u0000${plain.replace(/^0+(?=\d)/, "")}`;
}

function linkCallouts(drawn: readonly CalloutsDocument[], rows: readonly RowDocument[]): LinkedCallout[] {
  const rowsOf = groupRowsByCallout(rows);
  return drawn.flatMap(({ page, figure, callouts }) =>
    callouts.map((callout) => ({ ...callout, page, figure, rows: rowsOf({ ...callout, figure }) })),
  );
}

/** Returns whether a row or figure is for a model, in the manual's own spelling of it. */
export function isOnModel(
  place: Parameters<typeof isOn>[0],
  { equipment }: Model,
  manual: Pick<LiveManual, "equipment">,
): boolean {
  const key = makeAndModel({ equipment });
  return manual.equipment.some((candidate) => makeAndModel({ equipment: candidate }) === key && isOn(place, candidate));
}
