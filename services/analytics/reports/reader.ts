import type { DocumentStore } from "../../../mixins/document-store/port.ts";
import { CHECKPOINTS, type Checkpoint } from "../collections.ts";
import { hourOf } from "../hours.ts";
import type { Table } from "../projections/projection.ts";
import type { ProjectionName } from "../projections/all.ts";
import { rowStore } from "../row-store.ts";
import type { CountedPeriod } from "./period.ts";

/** Rows of a period's hours, and how far they are counted. */
export interface Counted<Row> {
  rows: [hour: string, row: Row][];
  position: number;
  asOf: Date | null;
}

export type ReadHours = <Row extends object>(projection: ProjectionName, table: Table<Row>, period: CountedPeriod) => Promise<Counted<Row>>;

export function createReader(documents: DocumentStore): ReadHours {
  const checkpoints = documents.collection<Checkpoint>(CHECKPOINTS);
  const rows = rowStore(documents);

  return async function read<Row extends object>(projection: ProjectionName, table: Table<Row>, period: CountedPeriod): Promise<Counted<Row>> {
    const before = await checkpoints.findOne({ _id: projection });
    if (!before) return { rows: [], position: 0, asOf: null };
    const { generation, position, asOf } = before;
    const found = await rows.range({ name: projection, generation }, table.name, hourOf(period.from), hourOf(period.to));
    // Another generation may have taken its place meanwhile, and its rows be half removed.
    const after = await checkpoints.findOne({ _id: projection });
    if (after?.generation !== generation) return read(projection, table, period);
    return { rows: found as [string, Row][], position, asOf: asOf ?? null };
  };
}
