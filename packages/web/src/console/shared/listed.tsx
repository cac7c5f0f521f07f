import type { ReactNode } from "react";
import { FiguresTable } from "./figures-table.tsx";
import { Refusal } from "./refusal.tsx";
import { Section } from "./section.tsx";

interface ListedProps<T> {
  name: string;
  /** Text for an empty list. */
  emptyText: string;
  items: readonly T[] | undefined;
  columns: readonly (readonly [head: string, cell: (row: T) => ReactNode])[];
}

/** A short list that the API gives whole. */
export function Listed<T extends object>({ name, emptyText, items, columns }: ListedProps<T>): ReactNode {
  if (!items) return null;
  if (items.length === 0) return <p role="status">{emptyText}</p>;
  const head = columns.map(([title]) => title);
  const rows = items.map((row) => columns.map(([, cell]) => cell(row)));
  const keys = items.map((row, index) => ("id" in row ? String(row.id) : index));
  return <FiguresTable label={name} head={head} rows={rows} keys={keys} />;
}

interface ListSectionProps<T> extends Omit<ListedProps<T>, "name" | "emptyText"> {
  title: string;
  /** Without it, the section is left out while it is empty. */
  emptyText?: string;
  refusal?: string;
  /** Stands below the list. */
  children?: ReactNode;
}

/** A short list under a heading, or why it cannot be read. */
export function ListSection<T extends object>(props: ListSectionProps<T>): ReactNode {
  const { title, emptyText = "", refusal, items, columns, children } = props;
  if (emptyText === "" && items?.length === 0) return null;
  return (
    <Section title={title}>
      <Refusal error={refusal} />
      <Listed name={title} emptyText={emptyText} items={items} columns={columns} />
      {children}
    </Section>
  );
}
