import type { ReactNode } from "react";
import { FiguresTable } from "./figures-table.tsx";
import { Refusal } from "./refusal.tsx";
import { Section } from "./section.tsx";

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

interface ListSectionProps<T> extends Omit<ListedProps<T>, "name" | "none"> {
  title: string;
  /** Without it, the section is left out while it is empty. */
  none?: string;
  refusal?: string;
  /** Stands below the list. */
  children?: ReactNode;
}

/** A short list under a heading, or why it cannot be read. */
export function ListSection<T extends object>(props: ListSectionProps<T>): ReactNode {
  const { title, none = "", refusal, of, columns, children } = props;
  if (none === "" && of?.length === 0) return null;
  return (
    <Section title={title}>
      <Refusal of={refusal} />
      <Listed name={title} none={none} of={of} columns={columns} />
      {children}
    </Section>
  );
}
