import Create from "@mui/icons-material/Create";
import Delete from "@mui/icons-material/Delete";
import Chip from "@mui/material/Chip";
import IconButton from "@mui/material/IconButton";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { nameFigure, type PageFigure } from "./figure-dialog.tsx";
import { texts } from "../texts.ts";
import type { PageRow } from "./reads.ts";

const { manuals } = texts;

/** `2 × T25-42, T25-50; 1 × T40-58`: those that have the part. */
export function listModels(models: NonNullable<PageRow["models"]>): string {
  const fitting = models.filter(({ quantity }) => quantity !== 0);
  return [...Map.groupBy(fitting, ({ quantity }) => quantity ?? null)]
    .map(([quantity, alike]) => {
      const names = alike.map(({ model }) => model).join(", ");
      return quantity === null ? names : `${quantity} × ${names}`;
    })
    .join("; ");
}

/** What a row says beside its number and its name. */
export function RowFacts({ of: row, figures }: { of: PageRow; figures: readonly PageFigure[] }): ReactNode {
  const { reference, quantity, models, figure, correction } = row;
  const pageFigure = figures.find(({ label, title }) => label === figure || title === figure);
  const facts = [
    reference !== null && manuals.formatReference(reference),
    models === null ? quantity !== null && `${quantity} ×` : listModels(models),
    // That of the page's only figure goes without saying.
    figure !== null && (figures.length > 1 || !pageFigure) && (pageFigure ? nameFigure(pageFigure) : figure),
  ];
  return (
    <Stack component="span" direction="row" spacing={1} useFlexGap sx={{ flexWrap: "wrap", alignItems: "center" }}>
      <span>{facts.filter(Boolean).join(" · ")}</span>
      {correction !== null && (
        <Chip component="span" size="small" variant="outlined" color="success" label={manuals.isCorrected} />
      )}
    </Stack>
  );
}

interface RowActionsProps {
  name: string;
  onCorrect(): void;
  onRemove(): void;
  isBusy: boolean;
}

export function RowActions({ name, onCorrect, onRemove, isBusy }: RowActionsProps): ReactNode {
  return (
    <>
      <IconButton size="small" aria-label={`${manuals.correct}: ${name}`} onClick={onCorrect}>
        <Create fontSize="small" />
      </IconButton>
      <IconButton size="small" aria-label={`${manuals.notPart}: ${name}`} disabled={isBusy} onClick={onRemove}>
        <Delete fontSize="small" />
      </IconButton>
    </>
  );
}
