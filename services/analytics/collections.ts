import type { CollectionDefinition, Document } from "../../mixins/document-store/port.ts";

/** Its id is the projection's name. */
export interface Checkpoint extends Document {
  generation: number;
  /** Of the last counted event. */
  position: number;
  /** Of the latest counted event. */
  asOf?: Date;
  building?: { generation: number; position: number; asOf?: Date; startedAt: Date };
  generations: number;
  /** Whose rows must be removed. */
  retired: number[];
  /** The event store lost counted events. */
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

/** `_id` is `<projection>:<generation>:<table>:<id>`: a table's hours are adjacent. */
export interface StoredRow extends Document {
  row: object;
}

export const ROWS: CollectionDefinition = { name: "analytics_rows" };
