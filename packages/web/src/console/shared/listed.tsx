import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { Facts } from "./facts.tsx";
import { FiguresTable } from "./figures-table.tsx";
import { Refusal } from "./refusal.tsx";
import { Section } from "./section.tsx";
import { useIsNarrow } from "./use-is-narrow.ts";

interface ListedProps<T> {
  name: string;
  /** Text for an empty list. */
  emptyText: string;
  items: readonly T[] | undefined;
  columns: readonly (readonly [head: string, cell: (row: T) => ReactNode])[];
  /** The first of the columns of figures, which are the last ones. */
  figuresFrom?: number;
}

/** Columns that fit side by side on a phone: more would be out of sight. */
const MOST_COLUMNS_OF_A_PHONE = 3;

/**
 * A short list that the API gives whole: a table where there is room for its columns, otherwise a block for each item.
 */
export function Listed<T extends object>({ name, emptyText, items, columns, figuresFrom }: ListedProps<T>): ReactNode {
  const isNarrow = useIsNarrow("md");
  if (!items) return null;
  if (items.length === 0) return <p role="status">{emptyText}</p>;
  const head = columns.map(([title]) => title);
  const rows = items.map((row) => columns.map(([, cell]) => cell(row)));
  const keys = items.map((row, index) => ("id" in row ? String(row.id) : index));
  if (isNarrow && columns.length > MOST_COLUMNS_OF_A_PHONE)
    return (
      <Stack component="ul" aria-label={name} spacing={1.5} sx={{ listStyle: "none", m: 0, p: 0 }}>
        {rows.map((cells, index) => (
          <Box
            component="li"
            key={keys[index]}
            sx={{ "&:not(:last-of-type)": { borderBottom: 1, borderColor: "divider", pb: 1.5 } }}
          >
            <Facts facts={cells.map((cell, column) => [head[column] ?? "", cell])} />
          </Box>
        ))}
      </Stack>
    );
  return <FiguresTable label={name} head={head} rows={rows} keys={keys} figuresFrom={figuresFrom} />;
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
  const { title, emptyText = "", refusal, items, children, ...table } = props;
  if (emptyText === "" && items?.length === 0) return null;
  return (
    <Section title={title}>
      <Refusal error={refusal} />
      <Listed name={title} emptyText={emptyText} items={items} {...table} />
      {children}
    </Section>
  );
}
