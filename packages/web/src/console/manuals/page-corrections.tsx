import type { ManualCorrection } from "@partline/client";
import Chip from "@mui/material/Chip";
import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import ListItemText from "@mui/material/ListItemText";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { partline } from "../partline.ts";
import { Refusal } from "../shared/refusal.tsx";
import { Section } from "../shared/section.tsx";
import { useAction } from "../shared/use-action.ts";
import { texts } from "../texts.ts";
import { nameFigure } from "./figure-dialog.tsx";
import { listModels } from "./found-row.tsx";

const { manuals } = texts;

interface PageCorrectionsProps {
  sha256: string;
  of: readonly ManualCorrection[];
  mayUndo: boolean;
}

/** Lists what staff corrected on a page, removed rows included; each correction can be undone. */
export function PageCorrections({ sha256, of: corrections, mayUndo }: PageCorrectionsProps): ReactNode {
  const { act, refusal, isBusy } = useAction(manuals.undone);
  if (corrections.length === 0) return null;
  return (
    <Section title={`${manuals.corrections} (${corrections.length})`}>
      <Refusal error={refusal} />
      <List dense disablePadding>
        {corrections.map((correction) => (
          <ListItem
            key={correction.correction}
            disableGutters
            sx={{ pr: mayUndo ? 11 : 0 }}
            secondaryAction={
              mayUndo && (
                <Button
                  size="small"
                  disabled={isBusy}
                  aria-label={`${manuals.undo}: ${nameCorrection(correction)}`}
                  onClick={() =>
                    act(() => partline.pipeline.withdrawCorrection({ sha256, correction: correction.correction }))
                  }
                >
                  {manuals.undo}
                </Button>
              )
            }
          >
            <ListItemText
              primary={nameCorrection(correction)}
              secondary={
                <Stack component="span" spacing={0.5} sx={{ alignItems: "start" }}>
                  {describeCorrection(correction)}
                  {correction.state !== "applied" && (
                    <Chip
                      component="span"
                      size="small"
                      variant="outlined"
                      color="info"
                      label={manuals.correctionStates[correction.state]}
                    />
                  )}
                </Stack>
              }
              sx={{ overflowWrap: "anywhere" }}
            />
          </ListItem>
        ))}
      </List>
    </Section>
  );
}

function nameCorrection({ kind, page, part, figure }: ManualCorrection): string {
  if (kind === "page") return texts.pages.page(page);
  if (figure) return nameFigure(figure.read);
  const row = part?.read ?? part?.corrected;
  return [row?.part_number, row?.description].filter(Boolean).join(" ");
}

type Row = NonNullable<NonNullable<ManualCorrection["part"]>["corrected"]>;

const FIELDS: readonly (readonly [name: string, read: (row: Row) => string])[] = [
  [manuals.partNumber, ({ part_number }) => part_number],
  [manuals.description, ({ description }) => description ?? ""],
  [manuals.quantity, ({ quantity }) => quantity?.toString() ?? ""],
  [manuals.reference, ({ reference }) => reference ?? ""],
  [manuals.figure, ({ figure }) => figure ?? ""],
  [manuals.onModels, ({ models }) => (models ? listModels(models) : "")],
];

/** What it changes, field by field. */
function describeCorrection({ kind, part, figure }: ManualCorrection): string {
  if (kind === "page") return manuals.isConfirmed;
  if (figure) return manuals.formatChange(nameFigure(figure.read), nameFigure(figure.corrected));
  if (!part?.corrected) return manuals.isNoPart;
  const { read: original, corrected } = part;
  if (!original) return manuals.isAdded;
  return FIELDS.flatMap(([name, readField]) =>
    readField(original) === readField(corrected)
      ? []
      : `${name}: ${manuals.formatChange(readField(original) || "–", readField(corrected) || "–")}`,
  ).join("; ");
}
