import Pagination from "@mui/material/Pagination";
import type { ReactNode } from "react";
import { useTranslate } from "react-admin";
import { texts } from "../texts.ts";

interface PageChoiceProps {
  page: number;
  pages: number;
  onChange(page: number): void;
}

export function PageChoice({ page, pages, onChange }: PageChoiceProps): ReactNode {
  const translate = useTranslate();
  return (
    <Pagination
      aria-label={texts.manuals.pages}
      count={pages}
      page={page}
      siblingCount={1}
      boundaryCount={1}
      size="small"
      getItemAriaLabel={(type, number) =>
        type === "page" ? texts.pages.page(number ?? 0) : translate(`ra.navigation.${type}`)
      }
      onChange={(_, chosen) => onChange(chosen)}
    />
  );
}
