import { MAIN_PLACE } from "../../mixins/shop/shelves.ts";

/** Pieces of a part that the shop itself counted, at one place. */
export interface Shelf {
  place: string;
  onHand: number;
  bin?: string;
  /** The part is on the list of low stock while no more than this is on hand. */
  reorderPoint?: number;
  /** ISO 8601; absent if all its pieces came by purchases: others may lie there. */
  countedAt?: string;
  /** Counts changes: a count by somebody who saw an earlier one is refused. */
  version: number;
  /** The last count was a person's: a price file does not replace it unasked. */
  isByHand?: boolean;
  /** Nothing was found here, and no bin or reorder point is known: the place goes with the next count of another one. */
  isEmptied?: boolean;
}

/** Change of what is on hand at a place. */
export interface Move {
  place: string;
  change: number;
  /** Pieces after it. */
  onHand: number;
}

export interface Count {
  place: string;
  onHand: number;
  /** Undefined keeps it; null deletes. */
  bin?: string | null | undefined;
  reorderPoint?: number | null | undefined;
}

/** Returns how many pieces are on all shelves; undefined if nobody has counted them. */
export function sumShelves(shelves: readonly Shelf[] | undefined): number | undefined {
  return shelves?.reduce((sum, { onHand }) => sum + onHand, 0);
}

/** Returns when somebody last counted any of the shelves; undefined if nobody did. */
export function findCountedAt(shelves: readonly Shelf[] | undefined): Date | undefined {
  const times = (shelves ?? []).flatMap(({ countedAt }) => (countedAt === undefined ? [] : [Date.parse(countedAt)]));
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}

export function isLow({ onHand, reorderPoint }: Shelf): boolean {
  return reorderPoint !== undefined && onHand <= reorderPoint;
}

/** Places of a part. */
export const MOST_PLACES = 50;

/**
 * Returns the shelves after a count, and the move that it makes. A place that was counted as empty stays until another
 * one is counted: it says when the part was counted last.
 */
export function countShelf(
  shelves: readonly Shelf[],
  count: Count,
  now: Date,
  { isByHand = false } = {},
): { shelves: Shelf[]; move: Move } {
  const { place, onHand } = count;
  const previous = shelves.find((shelf) => shelf.place === place);
  const bin = count.bin === undefined ? previous?.bin : count.bin || undefined;
  const reorderPoint = count.reorderPoint === undefined ? previous?.reorderPoint : (count.reorderPoint ?? undefined);
  const newShelf: Shelf = {
    place,
    onHand,
    bin,
    reorderPoint,
    countedAt: now.toISOString(),
    version: (previous?.version ?? 0) + 1,
    ...(isByHand && { isByHand }),
    ...(onHand === 0 && bin === undefined && reorderPoint === undefined && { isEmptied: true }),
  };
  const otherShelves = shelves.filter((shelf) => shelf === previous || shelf.onHand > 0 || !shelf.isEmptied);
  return {
    shelves: previous
      ? otherShelves.map((shelf) => (shelf === previous ? newShelf : shelf))
      : [...otherShelves, newShelf],
    move: { place, change: onHand - (previous?.onHand ?? 0), onHand },
  };
}

/** What a price file says of a place. A missing field says nothing; null deletes. */
export type FileCount = Pick<Count, "place"> & Partial<Omit<Count, "place">>;

/** Returns the rest of a file's count where a person has said otherwise since a file last counted. */
export function keepHandCount(shelves: readonly Shelf[], count: FileCount): FileCount {
  const shelf = shelves.find(({ place }) => place === count.place);
  if (!shelf?.isByHand) return count;
  const isKept = (field: "onHand" | "bin" | "reorderPoint"): boolean =>
    count[field] === undefined || shelf[field] === undefined || shelf[field] === count[field];
  return {
    place: count.place,
    ...(isKept("onHand") && { onHand: count.onHand }),
    ...(isKept("bin") && { bin: count.bin }),
    ...(isKept("reorderPoint") && { reorderPoint: count.reorderPoint }),
  };
}

/**
 * Returns the shelves as a price file has them; undefined if that is no news. A bin or reorder point alone is no count:
 * of pieces that nobody counted it says nothing, and the last count still says who made it.
 */
export function countShelfByFile(shelves: readonly Shelf[], count: FileCount, now: Date): Shelf[] | undefined {
  const shelf = shelves.find(({ place }) => place === count.place);
  const { onHand = shelf?.onHand } = count;
  if (onHand === undefined) return undefined;
  if (onHand !== shelf?.onHand || (count.onHand !== undefined && shelf.countedAt === undefined)) {
    const counted = countShelf(shelves, { ...count, onHand }, now).shelves;
    const isNews = shelf !== undefined || shelves.length === 0 || !counted.at(-1)?.isEmptied;
    return isNews && counted.length <= MOST_PLACES ? counted : undefined;
  }
  const bin = count.bin === undefined ? shelf.bin : count.bin || undefined;
  const reorderPoint = count.reorderPoint === undefined ? shelf.reorderPoint : (count.reorderPoint ?? undefined);
  if (bin === shelf.bin && reorderPoint === shelf.reorderPoint) return undefined;
  const next = { ...shelf, bin, reorderPoint, version: shelf.version + 1 };
  return shelves.map((candidate) => (candidate === shelf ? next : candidate));
}

/**
 * Takes shipped pieces from the shelves in their order. Pieces that no shelf has came from the dealer.
 * @param isFirst picks the shelves of the place where they are collected
 * @returns the moves, of at least one shelf
 */
export function takePieces(
  shelves: readonly Shelf[],
  pieces: number,
  isFirst: (shelf: Shelf) => boolean = () => false,
): ShelfChange {
  const ordered = shelves.toSorted((first, second) => Number(isFirst(second)) - Number(isFirst(first)));
  return changeShelves(shelves, pieces, ({ onHand }, left) => Math.min(left, onHand), ordered);
}

/**
 * Puts pieces back on the first shelf.
 * @param givenByPlace pieces that each place gave; each gets back no more, and the rest was the dealer's
 * @returns the moves, of at least one shelf
 */
export function putBackPieces(
  shelves: readonly Shelf[],
  pieces: number,
  givenByPlace?: ReadonlyMap<string, number>,
): ShelfChange {
  return changeShelves(
    shelves,
    0 - pieces,
    ({ place }, left) => 0 - Math.min(0 - left, givenByPlace?.get(place) ?? (givenByPlace ? 0 : pieces)),
  );
}

/**
 * Puts pieces that arrived on the shelf of a place; by default on the first one, or on the main one if there is none. It
 * is no count: the last one still says who counted, and a new shelf stays uncounted.
 */
export function addPieces(
  shelves: readonly Shelf[],
  pieces: number,
  place = shelves[0]?.place ?? MAIN_PLACE,
): { shelves: Shelf[]; move: Move } {
  const previous = shelves.find((shelf) => shelf.place === place);
  const shelf = previous ?? { place, onHand: 0, version: 0, isByHand: true };
  const next = { ...shelf, onHand: shelf.onHand + pieces, version: shelf.version + 1 };
  return {
    shelves: previous ? shelves.map((candidate) => (candidate === previous ? next : candidate)) : [...shelves, next],
    move: { place, change: pieces, onHand: next.onHand },
  };
}

interface ShelfChange {
  shelves: Shelf[];
  moves: Move[];
}

/**
 * @param take how many of the pieces that are left a shelf gives; negative for those that it gets
 * @param turns the shelves as they are asked
 */
function changeShelves(
  shelves: readonly Shelf[],
  pieces: number,
  take: (shelf: Shelf, left: number) => number,
  turns = shelves,
): ShelfChange {
  let left = pieces;
  const moves = turns.flatMap((shelf, index): Move[] => {
    const takenPieces = take(shelf, left);
    left -= takenPieces;
    const { place, onHand } = shelf;
    return takenPieces === 0 && index > 0 ? [] : [{ place, change: 0 - takenPieces, onHand: onHand - takenPieces }];
  });
  const after = shelves.map((shelf) => {
    const move = moves.find(({ place }) => place === shelf.place);
    return move?.change ? { ...shelf, onHand: move.onHand, version: shelf.version + 1 } : shelf;
  });
  return { shelves: after, moves };
}
