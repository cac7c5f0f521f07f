import Pagination from "@mui/material/Pagination";
import type { ReactNode } from "react";
import { texts } from "../texts.ts";

interface PageChoiceProps {
  page: number;
  pages: number;
  onChange(page: number): void;
}

export function PageChoice({ page, pages, onChange }: PageChoiceProps): ReactNode {
  return (
    <Pagination
      aria-label={texts.manuals.pages}
      count={pages}
      page={page}
      siblingCount={1}
      boundaryCount={1}
      size="small"
      getItemAriaLabel={(type, number) => (type === "page" ? texts.pages.page(number ?? 0) : type)}
      onChange={(_, chosen) => onChange(chosen)}
    />
  );
}
