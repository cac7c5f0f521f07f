import TablePagination from "@mui/material/TablePagination";
import type { ReactNode } from "react";
import { useTranslate } from "react-admin";

interface NumberPaginationProps {
  /** The first is 1. */
  page: number;
  pageSize: number;
  total: number | undefined;
  onChange(page: number): void;
}

/** Pages of a list that is no react-admin `List`, in the words of those that are. */
export function NumberPagination({ page, pageSize, total = 0, onChange }: NumberPaginationProps): ReactNode {
  const translate = useTranslate();
  return (
    <TablePagination
      component="div"
      count={total}
      page={page - 1}
      rowsPerPage={pageSize}
      rowsPerPageOptions={[]}
      labelDisplayedRows={({ from, to, count }) =>
        translate("ra.navigation.page_range_info", { offsetBegin: from, offsetEnd: to, total: count })
      }
      getItemAriaLabel={(type) => translate(`ra.navigation.${type}`)}
      onPageChange={(_, chosen) => onChange(chosen + 1)}
    />
  );
}
