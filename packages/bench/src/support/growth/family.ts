import type { CollectionDefinition, Document, DocumentStore } from "../../../../durable/src/document-store/port.ts";
import type { Settings } from "../../../../../broker/settings.ts";

/**
 * How the cost of an operation may grow with the rows. `count`: it counts or adds up all that match, so its answer is
 * about that many rows.
 */
export const AIMS = { "look-up": 0.1, write: 0, count: 1, rebuild: 1 } as const;
export type Kind = keyof typeof AIMS;

/** Does the operation once, and returns the milliseconds if they are not those of the whole call. */
export type Operation = (round: number) => Promise<unknown>;

export interface Filled<Name extends string> {
  operations: Record<Name, Operation>;
  close(): Promise<void>;
}

/** A store of its own, and settings that name it. */
export interface Place {
  documents: DocumentStore;
  settings: Settings;
}

/** Operations over one filling of a store. */
export interface Family<Name extends string = string> {
  name: string;
  kinds: Record<Name, Kind>;
  /** Fills the store with so many rows of each kind. */
  fill(place: Place, rows: number): Promise<void>;
  open(place: Place, rows: number): Promise<Filled<Name>>;
}

/** Keeps the names of a family's operations together in its type. */
export function defineFamily<Name extends string>(family: Family<Name>): Family<Name> {
  return family;
}

const BULK = 5_000;

/** Inserts documents by bulk writes. @throws the error of the first that is refused */
export async function fillCollection<T extends Document>(
  documents: DocumentStore,
  definition: CollectionDefinition,
  rows: number,
  make: (n: number) => T,
): Promise<void> {
  const collection = documents.collection<T>(definition);
  for (let from = 0; from < rows; from += BULK) {
    const count = Math.min(BULK, rows - from);
    const results = await collection.bulkWrite(
      Array.from({ length: count }, (_, index) => ({ insertOne: make(from + index) })),
    );
    for (const result of results) if (!result.ok) throw result.error;
  }
}

/** A time of the last 30 days, the first row's first. */
export function placeInMonth(n: number, rows: number): Date {
  return new Date(Date.now() - Math.round((1 - n / rows) * 30 * 86_400_000));
}

/** The number of a row, spread over all of them, another in each round. */
export function pickRow(round: number, rows: number): number {
  return (round * 7_919 + 13) % rows;
}
