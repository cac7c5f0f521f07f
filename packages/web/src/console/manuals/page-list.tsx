import type { PageSummary } from "@partline/client";
import Box from "@mui/material/Box";
import Chip from "@mui/material/Chip";
import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import ListItemButton from "@mui/material/ListItemButton";
import ListItemText from "@mui/material/ListItemText";
import { useState, type ReactNode } from "react";
import { Link } from "react-admin";
import { partline } from "../partline.ts";
import { NumberPagination } from "../shared/number-pagination.tsx";
import { Refusal } from "../shared/refusal.tsx";
import { Section } from "../shared/section.tsx";
import { useReading } from "../shared/use-reading.ts";
import { texts } from "../texts.ts";
import { describeState, isWaiting } from "./page-state.ts";

const { manuals } = texts;
const PAGE_SIZE = 50;

/** Every page with what was read of it: those that need a look come first. */
export function PageList({ sha256, page: currentPage }: { sha256: string; page: number }): ReactNode {
  const [listPage, setListPage] = useState(1);
  const { data, refusal } = useReading(
    ["manual-pages", sha256, listPage],
    (signal) => partline.pipeline.pages({ sha256, page: listPage, pageSize: PAGE_SIZE }, { signal }),
    { isRunning: ({ pages }) => pages.some(isWaiting) },
  );
  const total = data?.pagination.total;
  return (
    <Section title={manuals.everyPage}>
      <Refusal error={refusal} />
      <List
        dense
        disablePadding
        aria-label={manuals.everyPage}
        sx={{
          ...{ display: "grid", gridTemplateColumns: "repeat(auto-fill, minmax(min(20rem, 100%), 1fr))" },
          ...{ alignItems: "start", columnGap: 2, maxHeight: "17rem", overflow: "auto" },
        }}
      >
        {data?.pages.map((page) => (
          <ListItem key={page.page} disablePadding sx={{ minWidth: 0 }}>
            <ListItemButton
              component={Link}
              to={`?page=${page.page}`}
              selected={page.page === currentPage}
              aria-current={page.page === currentPage ? "page" : undefined}
            >
              <ListItemText primary={<PageLine of={page} />} secondary={manuals.describePage(page)} />
            </ListItemButton>
          </ListItem>
        ))}
      </List>
      {total !== undefined && total > PAGE_SIZE && (
        <NumberPagination page={listPage} pageSize={PAGE_SIZE} total={total} onChange={setListPage} />
      )}
    </Section>
  );
}

function PageLine({ of: page }: { of: PageSummary }): ReactNode {
  const state = describeState(page);
  return (
    <Box component="span" sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center" }}>
      {texts.pages.page(page.page)}
      {state !== undefined && (
        <Chip
          size="small"
          variant="outlined"
          color={page.check ? "warning" : isWaiting(page) ? "info" : "default"}
          label={state}
          sx={{ height: "auto", "& .MuiChip-label": { whiteSpace: "normal" } }}
        />
      )}
    </Box>
  );
}
