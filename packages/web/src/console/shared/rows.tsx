import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { useListContext, type RaRecord } from "react-admin";
import { Facts } from "./facts.tsx";
import { FiguresTable } from "./figures-table.tsx";
import { texts } from "../texts.ts";
import { Section } from "./section.tsx";
import { useIsNarrow } from "./use-is-narrow.ts";

interface RowsProps<T> {
  /** Of the table, for screen readers. */
  label: string;
  emptyText: string;
  /** Of a record, for people and screen readers. */
  name(record: T): string;
  /** A card leaves out those that its heading, the name, says. */
  columns: readonly (readonly [head: string, cell: (record: T) => ReactNode, place?: "in name"])[];
  /** What can be done to a record. */
  actions?(record: T): ReactNode;
}

/** The records of a list: a table where there is room, and a card each on a phone. */
export function Rows<T extends RaRecord>({ label, emptyText, name, columns, actions }: RowsProps<T>): ReactNode {
  const isNarrow = useIsNarrow("md");
  const { data, isPending } = useListContext<T>();
  if (isPending) return null;
  if (!data?.length)
    return (
      <Box component="p" role="status" sx={{ px: 2 }}>
        {emptyText}
      </Box>
    );
  if (isNarrow)
    return (
      <Stack spacing={1} sx={{ p: 1 }}>
        {data.map((record) => (
          <Section key={record.id} component="article" title={name(record)}>
            <Facts facts={columns.map(([head, cell, place]) => [head, place !== "in name" && cell(record)])} />
            {actions && <Box sx={{ mt: 1 }}>{actions(record)}</Box>}
          </Section>
        ))}
      </Stack>
    );
  return (
    <FiguresTable
      label={label}
      head={[...columns.map(([head]) => head), ...(actions ? [texts.rowActions] : [])]}
      rows={data.map((record) => [...columns.map(([, cell]) => cell(record)), ...(actions ? [actions(record)] : [])])}
      keys={data.map(({ id }) => id)}
      names={data.map(name)}
    />
  );
}
