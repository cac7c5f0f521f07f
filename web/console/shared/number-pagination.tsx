import TablePagination from "@mui/material/TablePagination";
import type { ReactNode } from "react";

interface NumberPaginationProps {
  /** The first is 1. */
  page: number;
  pageSize: number;
  total: number | undefined;
  onChange(page: number): void;
}

/** Pages of a list that is no react-admin `List`. */
export function NumberPagination({ page, pageSize, total = 0, onChange }: NumberPaginationProps): ReactNode {
  return (
    <TablePagination
      component="div"
      count={total}
      page={page - 1}
      rowsPerPage={pageSize}
      rowsPerPageOptions={[]}
      onPageChange={(_, chosen) => onChange(chosen + 1)}
    />
  );
}
