import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableContainer from "@mui/material/TableContainer";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import type { ReactNode } from "react";

interface RowsProps<T> {
  /** What they are, for screen readers. */
  name: string;
  none: string;
  of: readonly T[] | undefined;
  idOf(row: T): string;
  columns: readonly (readonly [head: string, cell: (row: T) => ReactNode])[];
}

/** A short list that the API gives whole. A narrow screen scrolls it sideways. */
export function Rows<T>({ name, none, of, idOf, columns }: RowsProps<T>): ReactNode {
  if (!of) return null;
  if (of.length === 0) return <p role="status">{none}</p>;
  return (
    <TableContainer tabIndex={0} role="group" aria-label={name}>
      <Table size="small">
        <TableHead>
          <TableRow>
            {columns.map(([head], at) => (
              <TableCell key={at}>{head}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {of.map((row) => (
            <TableRow key={idOf(row)}>
              {columns.map(([, cell], at) => (
                <TableCell key={at}>{cell(row)}</TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
