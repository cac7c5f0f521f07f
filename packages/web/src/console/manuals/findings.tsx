import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import ListItemButton from "@mui/material/ListItemButton";
import ListItemText from "@mui/material/ListItemText";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { Section } from "../shared/section.tsx";
import { Listed } from "../shared/listed.tsx";
import { texts } from "../texts.ts";
import { INK } from "./boxes.tsx";
import type { FoundBox } from "./boxes-of.ts";
import type { PageOfManual, ReadTable } from "./reads.ts";

const { manuals } = texts;
const KINDS = [
  ["part", manuals.parts],
  ["callout", manuals.callouts],
  ["table", manuals.tables],
] as const;

interface FindingsProps {
  of: PageOfManual;
  boxes: readonly FoundBox[];
  chosen: string | undefined;
  onChoose(id: string): void;
}

/** The same in words: one chosen here is marked on the page. */
export function Findings({ of: { tables, width }, boxes, chosen, onChoose }: FindingsProps): ReactNode {
  return (
    <Stack spacing={2} sx={{ flex: 2, minWidth: 0, width: "100%" }}>
      {boxes.length === 0 && <p role="status">{manuals.nothing}</p>}
      {width === null && boxes.length > 0 && <p role="status">{manuals.noPlaces}</p>}
      {KINDS.map(([kind, title]) => {
        const found = boxes.filter((box) => box.kind === kind);
        return (
          found.length > 0 && (
            <Section key={kind} title={`${title} (${found.length})`}>
              <List dense disablePadding sx={{ maxHeight: "24rem", overflow: "auto" }}>
                {found.map(({ id, text }) => (
                  <ListItem key={id} disablePadding>
                    <ListItemButton
                      selected={id === chosen}
                      aria-pressed={id === chosen}
                      onClick={() => onChoose(id)}
                      sx={{ borderLeft: `4px solid ${INK[kind]}` }}
                    >
                      <ListItemText primary={text} sx={{ overflowWrap: "anywhere" }} />
                    </ListItemButton>
                  </ListItem>
                ))}
              </List>
              {kind === "table" && tables.map((table) => <TableRead key={table.index} of={table} />)}
            </Section>
          )
        );
      })}
    </Stack>
  );
}

interface NumberedRow {
  id: string;
  cells: readonly string[];
}

function TableRead({ of: { index, rows, headerRows } }: { of: ReadTable }): ReactNode {
  const heads = headerRows > 0 ? rows[headerRows - 1]! : (rows[0] ?? []).map(() => "");
  const numbered = rows.slice(headerRows).map((cells, at): NumberedRow => ({ id: String(at), cells }));
  return (
    <Listed
      name={manuals.table(index, rows.length, heads.length)}
      none={manuals.nothing}
      of={numbered}
      columns={heads.map((head, at) => [head || manuals.column(at + 1), (row: NumberedRow) => row.cells[at]] as const)}
    />
  );
}
