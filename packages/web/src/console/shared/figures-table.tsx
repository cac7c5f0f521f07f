import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableContainer from "@mui/material/TableContainer";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import type { ReactNode } from "react";
import { texts } from "../texts.ts";

interface FiguresTableProps {
  /** A caption for screen readers. */
  label: string;
  head: readonly string[];
  rows: readonly (readonly ReactNode[])[];
  /** The first of the columns of figures, which stand below each other: the last columns. */
  figuresFrom?: number | undefined;
  /** The keys of the rows, where they move or hold what is open; else their places. */
  keys?: readonly (string | number)[];
  /** Of the rows, for screen readers; else a row is named by its cells. */
  names?: readonly string[];
}

/** Outside a card, a table is one. */
const SHEET = {
  ":not(.MuiCard-root *)": { border: 1, borderColor: "divider", borderRadius: 1, bgcolor: "background.paper" },
};

const HEAD = { px: { xs: 1, sm: 2 } };
const CELL = { ...HEAD, overflowWrap: "break-word" };
const FIGURE = { textAlign: "right", fontVariantNumeric: "tabular-nums" };

/** A table of figures: what is too wide for the window is scrolled in itself. */
export function FiguresTable({ label, head, rows, figuresFrom, keys, names }: FiguresTableProps): ReactNode {
  if (rows.length === 0) return <p>{texts.none}</p>;
  const columns = head.map((name, column) => ({
    sx: column >= (figuresFrom ?? head.length) ? FIGURE : {},
    className: name === texts.rowActions ? "no-print" : undefined,
  }));
  return (
    <TableContainer tabIndex={0} role="group" aria-label={label} sx={SHEET}>
      <Table size="small" aria-label={label}>
        <TableHead>
          <TableRow>
            {head.map((name, column) => (
              <TableCell key={column} {...columns[column]} sx={{ ...HEAD, ...columns[column]?.sx }}>
                {name}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((cells, index) => (
            <TableRow key={keys?.[index] ?? index} aria-label={names?.[index]}>
              {cells.map((cell, column) => (
                <TableCell key={column} {...columns[column]} sx={{ ...CELL, ...columns[column]?.sx }}>
                  {cell}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
