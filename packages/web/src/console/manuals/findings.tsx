import type { ManualOverview } from "@partline/client";
import Add from "@mui/icons-material/Add";
import Create from "@mui/icons-material/Create";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import ListItemButton from "@mui/material/ListItemButton";
import ListItemText from "@mui/material/ListItemText";
import Stack from "@mui/material/Stack";
import { useState, type ReactNode } from "react";
import { useNotify } from "react-admin";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { Refusal } from "../shared/refusal.tsx";
import { Section } from "../shared/section.tsx";
import { Listed } from "../shared/listed.tsx";
import { useAction } from "../shared/use-action.ts";
import { texts } from "../texts.ts";
import { INK } from "./boxes.tsx";
import type { FoundBox } from "./list-boxes.ts";
import { FigureDialog, nameFigure, type PageFigure } from "./figure-dialog.tsx";
import { RowActions, RowFacts } from "./found-row.tsx";
import { PageCorrections } from "./page-corrections.tsx";
import { describeState } from "./page-state.ts";
import type { PageOfManual, PageRow, ReadTable } from "./reads.ts";
import { RowDialog } from "./row-dialog.tsx";

const { manuals } = texts;

interface FindingsProps {
  manual: ManualOverview;
  of: PageOfManual;
  boxes: readonly FoundBox[];
  chosen: string | undefined;
  onChoose(id: string): void;
}

/** Lists what was read of a page, and what was not; one chosen here is marked on the page, and corrected here. */
export function Findings({ manual, of: page, boxes, chosen, onChoose }: FindingsProps): ReactNode {
  const { sha256 } = manual;
  const mayCorrect = useMay()("manuals:write");
  const [open, setOpen] = useState<{ row?: PageRow; figure?: PageFigure }>();
  const { act, refusal, isBusy } = useAction(undefined);
  const notify = useNotify();
  const state = describeState(page);
  const remove = ({ row }: PageRow) =>
    act(async () => {
      await partline.pipeline.removePart({ sha256, page: page.page, row });
      notify(manuals.removedRow, { type: "success" });
    });
  const confirm = () => act(() => partline.pipeline.confirmPage({ sha256, page: page.page }));
  const close = () => setOpen(undefined);
  const renderList = (kind: FoundBox["kind"]): ReactNode => (
    <FoundList
      of={boxes.filter((box) => box.kind === kind)}
      figures={page.figures}
      chosen={chosen}
      onChoose={onChoose}
      actions={
        mayCorrect
          ? ({ row, text }) =>
              row && (
                <RowActions
                  name={text}
                  isBusy={isBusy}
                  onCorrect={() => setOpen({ row })}
                  onRemove={() => remove(row)}
                />
              )
          : undefined
      }
    />
  );
  const { parts, callouts, tables, figures, width } = page;
  return (
    <Stack spacing={2} sx={{ flex: 2, minWidth: 0, width: "100%" }}>
      {state !== undefined && (
        <Alert
          severity={page.check ? "warning" : "info"}
          action={
            mayCorrect &&
            page.check !== null &&
            page.check !== "unreadable" && (
              <Button size="small" color="inherit" disabled={isBusy} onClick={confirm}>
                {manuals.confirm}
              </Button>
            )
          }
        >
          {capitalize(state)}
        </Alert>
      )}
      {boxes.length + figures.length === 0 && <p role="status">{manuals.nothing}</p>}
      {width === null && boxes.length > 0 && <p role="status">{manuals.noPlaces}</p>}
      {figures.length > 0 && (
        <Section title={`${manuals.figures} (${figures.length})`}>
          <List dense disablePadding>
            {figures.map((figure) => (
              <ListItem
                key={figure.figure}
                disableGutters
                secondaryAction={
                  mayCorrect && (
                    <IconButton
                      size="small"
                      aria-label={`${manuals.correct}: ${nameFigure(figure)}`}
                      onClick={() => setOpen({ figure })}
                    >
                      <Create fontSize="small" />
                    </IconButton>
                  )
                }
              >
                <ListItemText primary={nameFigure(figure)} sx={{ overflowWrap: "anywhere" }} />
              </ListItem>
            ))}
          </List>
        </Section>
      )}
      {(parts.length > 0 || mayCorrect) && (
        <Section title={`${manuals.parts} (${parts.length})`}>
          <Refusal error={refusal} />
          {renderList("part")}
          {mayCorrect && (
            <Button size="small" startIcon={<Add />} sx={{ mt: 1 }} onClick={() => setOpen({})}>
              {manuals.addPart}
            </Button>
          )}
        </Section>
      )}
      <PageCorrections sha256={sha256} of={page.corrections} mayUndo={mayCorrect} />
      {callouts.length > 0 && (
        <Section title={`${manuals.callouts} (${callouts.length})`}>{renderList("callout")}</Section>
      )}
      {tables.length > 0 && (
        <Section title={`${manuals.tables} (${tables.length})`}>
          {renderList("table")}
          {tables.map((table) => (
            <TableRead key={table.index} of={table} />
          ))}
        </Section>
      )}
      {open?.figure && <FigureDialog sha256={sha256} page={page.page} figure={open.figure} onClose={close} />}
      {open && !open.figure && <RowDialog of={manual} page={page.page} row={open.row} onClose={close} />}
    </Stack>
  );
}

const capitalize = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

interface FoundListProps {
  of: readonly FoundBox[];
  figures: readonly PageFigure[];
  chosen: string | undefined;
  onChoose(id: string): void;
  actions: ((box: FoundBox) => ReactNode) | undefined;
}

function FoundList({ of: items, figures, chosen, onChoose, actions }: FoundListProps): ReactNode {
  return (
    <List dense disablePadding sx={{ maxHeight: "28rem", overflow: "auto" }}>
      {items.map((box) => {
        const { id, kind, text, row } = box;
        const buttons = row && actions?.(box);
        return (
          <ListItem key={id} disablePadding secondaryAction={buttons}>
            <ListItemButton
              selected={id === chosen}
              aria-pressed={id === chosen}
              onClick={() => onChoose(id)}
              sx={{ borderLeft: `4px solid ${INK[kind]}`, ...(buttons && { "&&": { pr: 11 } }) }}
            >
              <ListItemText
                primary={text}
                secondary={row && <RowFacts of={row} figures={figures} />}
                sx={{ overflowWrap: "anywhere" }}
              />
            </ListItemButton>
          </ListItem>
        );
      })}
    </List>
  );
}

interface NumberedRow {
  id: string;
  cells: readonly string[];
}

function TableRead({ of: { index, rows, headerRows } }: { of: ReadTable }): ReactNode {
  const heads = headerRows > 0 ? rows[headerRows - 1]! : (rows[0] ?? []).map(() => "");
  const numbered = rows.slice(headerRows).map((cells, index): NumberedRow => ({ id: String(index), cells }));
  return (
    <Listed
      name={manuals.table(index, rows.length, heads.length)}
      emptyText={manuals.nothing}
      items={numbered}
      columns={heads.map(
        (head, index) => [head || manuals.column(index + 1), (row: NumberedRow) => row.cells[index]] as const,
      )}
    />
  );
}
