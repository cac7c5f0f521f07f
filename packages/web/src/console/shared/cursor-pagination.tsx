import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { useListPaginationContext } from "react-admin";
import { texts } from "../texts.ts";

/** Back and on: nobody counts what a cursor leads through. */
export function CursorPagination(): ReactNode {
  const { page, setPage, hasNextPage, hasPreviousPage } = useListPaginationContext();
  if (!hasNextPage && !hasPreviousPage) return null;
  return (
    <Stack direction="row" spacing={1} sx={{ justifyContent: "flex-end", alignItems: "center", p: 1 }}>
      <Button disabled={!hasPreviousPage} onClick={() => setPage(page - 1)}>
        {texts.pages.previous}
      </Button>
      <span>{texts.pages.page(page)}</span>
      <Button disabled={!hasNextPage} onClick={() => setPage(page + 1)}>
        {texts.pages.next}
      </Button>
    </Stack>
  );
}
