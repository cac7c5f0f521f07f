import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableContainer from "@mui/material/TableContainer";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import type { ReactNode } from "react";
import { texts } from "./texts.ts";

interface RowsProps {
  /** For screen readers. */
  label: string;
  head: readonly string[];
  rows: readonly (readonly ReactNode[])[];
}

/** A table of figures: what is too wide for the window is scrolled in itself. */
export function Rows({ label, head, rows }: RowsProps): ReactNode {
  if (rows.length === 0) return <p>{texts.none}</p>;
  return (
    <TableContainer tabIndex={0}>
      <Table size="small" aria-label={label}>
        <TableHead>
          <TableRow>
            {head.map((name) => (
              <TableCell key={name}>{name}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((cells, at) => (
            <TableRow key={at}>
              {cells.map((cell, column) => (
                <TableCell key={column} sx={{ overflowWrap: "break-word" }}>
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
