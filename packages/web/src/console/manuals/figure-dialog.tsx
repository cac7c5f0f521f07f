import type { PageFindings } from "@partline/client";
import TextField from "@mui/material/TextField";
import { useState, type ReactNode } from "react";
import { partline } from "../partline.ts";
import { ActionDialog } from "../shared/action-dialog.tsx";
import { texts } from "../texts.ts";

const { manuals } = texts;

export type PageFigure = PageFindings["figures"][number];

interface FigureDialogProps {
  sha256: string;
  page: number;
  figure: PageFigure;
  onClose(): void;
}

/** Label and title of a figure: its parts and callouts follow. */
export function FigureDialog({ sha256, page, figure, onClose }: FigureDialogProps): ReactNode {
  const [label, setLabel] = useState(figure.label);
  const [title, setTitle] = useState(figure.title);
  const fields = {
    ...(label.trim() !== figure.label && { label: label.trim() }),
    ...(title.trim() !== figure.title && { title: title.trim() }),
  };
  const isReady = Object.keys(fields).length > 0 && label.trim() + title.trim() !== "";
  return (
    <ActionDialog
      title={manuals.nameCorrection(nameFigure(figure))}
      submit={manuals.save}
      done={manuals.corrected}
      hint={manuals.nothingChanged}
      values={[figure.figure, fields]}
      run={
        isReady
          ? (call) => partline.pipeline.correctFigure({ sha256, page, figure: figure.figure, ...fields }, call)
          : undefined
      }
      onClose={onClose}
    >
      <TextField label={manuals.figureLabel} value={label} onChange={({ target }) => setLabel(target.value)} />
      <TextField label={manuals.name} value={title} onChange={({ target }) => setTitle(target.value)} />
    </ActionDialog>
  );
}

export function nameFigure({ label, title }: Pick<PageFigure, "label" | "title">): string {
  return [label && manuals.nameFigure(label), title].filter(Boolean).join(": ");
}
