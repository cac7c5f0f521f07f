import type { CollectionDefinition, Document } from "@partline/durable";

/** How far a projection has counted; its id is its name. */
export interface Checkpoint extends Document {
  generation: number;
  /** Position of the last counted event. */
  position: number;
  /** Time of the latest counted event. */
  asOf?: Date;
  building?: { generation: number; position: number; asOf?: Date; startedAt: Date };
  generations: number;
  /** Generations whose rows must be removed. */
  retired: number[];
  /** The event store lost counted events; newer ones may be left out. */
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

/** Its id is `<projection>:<generation>:<table>:<id in the table>`, so that a table's hours are adjacent. */
export interface StoredRow extends Document {
  row: object;
}

export const ROWS: CollectionDefinition = { name: "analytics_rows" };
