import type { DocumentStore } from "../../../mixins/document-store/port.ts";
import { CHECKPOINTS, type Checkpoint } from "../collections.ts";
import { hourOf } from "../hours.ts";
import type { Table } from "../projections/projection.ts";
import type { ProjectionName } from "../limits.ts";
import { createRowStore } from "../row-store.ts";
import type { CountedPeriod } from "./period.ts";
import type { Sum } from "./sums.ts";

export interface Counted<Added> {
  sum: Added;
  position: number;
  asOf: Date | null;
}

export function createReader(documents: DocumentStore) {
  const checkpoints = documents.collection<Checkpoint>(CHECKPOINTS);
  const rows = createRowStore(documents);

  /** Adds the rows of a period to what `begin` makes. */
  return async function read<Row extends object, Added extends Sum<Row>>(
    projection: ProjectionName,
    table: Table<Row>,
    period: CountedPeriod,
    begin: () => Added,
  ): Promise<Counted<Added>> {
    const sum = begin();
    const before = await checkpoints.findOne({ _id: projection });
    if (!before) return { sum, position: 0, asOf: null };
    const { generation, position, asOf } = before;
    for await (const [hour, row] of rows.range(
      { name: projection, generation },
      table.name,
      hourOf(period.from),
      hourOf(period.to),
    ))
      sum.add(hour, row as Row);
    // Another generation may have replaced it, and its rows be half removed.
    const after = await checkpoints.findOne({ _id: projection });
    if (after?.generation !== generation) return read(projection, table, period, begin);
    return { sum, position, asOf: asOf ?? null };
  };
}
