import Pagination from "@mui/material/Pagination";
import type { ReactNode } from "react";
import { en } from "../texts/en.ts";

interface PageChoiceProps {
  page: number;
  pages: number;
  onChange(page: number): void;
}

export function PageChoice({ page, pages, onChange }: PageChoiceProps): ReactNode {
  return (
    <Pagination
      aria-label={en.manuals.pages}
      count={pages}
      page={page}
      siblingCount={1}
      boundaryCount={1}
      size="small"
      getItemAriaLabel={(type, number) => (type === "page" ? en.pages.page(number ?? 0) : type)}
      onChange={(_, chosen) => onChange(chosen)}
    />
  );
}
