import type { CollectionDefinition, Document } from "../../mixins/document-store/port.ts";

/** How far a projection has counted; its id is the projection's name. */
export interface Checkpoint extends Document {
  /** Of the rows that are read. */
  generation: number;
  /** Of the last counted event. */
  position: number;
  /** When the latest counted event happened. */
  asOf?: Date;
  /** The generation that is rebuilt beside it. */
  building?: { generation: number; position: number; asOf?: Date; startedAt: Date };
  /** Highest generation so far. */
  generations: number;
  /** Generations whose rows are to be removed. */
  retired: number[];
  /** The event store lost events that are counted; newer ones may be left out. */
  ahead?: true;
}

export const CHECKPOINTS: CollectionDefinition = {
  name: "analytics_checkpoints",
  fields: {
    generation: "number",
    position: "number",
    asOf: "date",
    "building.generation": "number",
    "building.position": "number",
    "building.asOf": "date",
    "building.startedAt": "date",
  },
};

/**
 * A row of a generation of a projection. Its id is `<projection>:<generation>:<table>:<id in the table>`, so that a
 * table's hours are adjacent.
 */
export interface StoredRow extends Document {
  row: object;
}

export const ROWS: CollectionDefinition = { name: "analytics_rows" };
