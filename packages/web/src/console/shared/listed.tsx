import type { ReactNode } from "react";
import { FiguresTable } from "./figures-table.tsx";

interface ListedProps<T> {
  name: string;
  /** Said if there is none. */
  none: string;
  of: readonly T[] | undefined;
  columns: readonly (readonly [head: string, cell: (row: T) => ReactNode])[];
}

/** A short list that the API gives whole. */
export function Listed<T extends object>({ name, none, of, columns }: ListedProps<T>): ReactNode {
  if (!of) return null;
  if (of.length === 0) return <p role="status">{none}</p>;
  const head = columns.map(([title]) => title);
  const rows = of.map((row) => columns.map(([, cell]) => cell(row)));
  const keys = of.map((row, at) => ("id" in row ? String(row.id) : at));
  return <FiguresTable label={name} head={head} rows={rows} keys={keys} />;
}
