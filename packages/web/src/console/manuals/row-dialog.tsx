import type { ManualOverview } from "@partline/client";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormGroup from "@mui/material/FormGroup";
import FormLabel from "@mui/material/FormLabel";
import FormControl from "@mui/material/FormControl";
import FormHelperText from "@mui/material/FormHelperText";
import TextField from "@mui/material/TextField";
import { useState, type ReactNode } from "react";
import { partline } from "../partline.ts";
import { ActionDialog } from "../shared/action-dialog.tsx";
import { texts } from "../texts.ts";
import type { PageRow } from "./reads.ts";

const { manuals } = texts;

interface RowDialogProps {
  of: ManualOverview;
  page: number;
  /** Absent: a part is added. */
  row?: PageRow;
  onClose(): void;
}

/** A row of a page, as it should have been read. */
export function RowDialog({ of: { sha256, equipment }, page, row, onClose }: RowDialogProps): ReactNode {
  const [number, setNumber] = useState(row?.part_number ?? "");
  const [description, setDescription] = useState(row?.description ?? "");
  const [reference, setReference] = useState(row?.reference ?? "");
  const [figure, setFigure] = useState(row?.figure ?? "");
  const [quantity, setQuantity] = useState(row?.quantity?.toString() ?? "");
  const rowModels = row?.models?.filter((model) => model.quantity !== 0) ?? [];
  const [models, setModels] = useState<readonly string[]>(rowModels.map(({ model }) => model));
  const amount = quantity.trim() === "" ? null : Number(quantity.replace(",", "."));
  const isAmount = amount === null || (Number.isFinite(amount) && amount >= 0);
  const isAmountNew = amount !== (row?.quantity ?? null);
  const areModelsNew = models.join("\n") !== rowModels.map(({ model }) => model).join("\n");
  const getQuantity = (name: string): number | null =>
    isAmountNew ? amount : (rowModels.find(({ model }) => model === name)?.quantity ?? amount);
  const fields = {
    ...(number.trim() !== (row?.part_number ?? "") && { part_number: number.trim() }),
    ...(description.trim() !== (row?.description ?? "") && { description: description.trim() || null }),
    ...(reference.trim() !== (row?.reference ?? "") && { reference: reference.trim() || null }),
    ...(figure.trim() !== (row?.figure ?? "") && { figure: figure.trim() || null }),
    ...(isAmountNew && { quantity: amount }),
    ...((areModelsNew || (isAmountNew && rowModels.length > 0)) && {
      models: models.length === 0 ? null : models.map((model) => ({ model, quantity: getQuantity(model) })),
    }),
  };
  const isReady = number.trim() !== "" && isAmount && Object.keys(fields).length > 0;
  const run = (call: object) =>
    row
      ? partline.pipeline.correctPart({ sha256, page, row: row.row, ...fields }, call)
      : partline.pipeline.addPart({ sha256, page, ...fields, part_number: number.trim() }, call);
  return (
    <ActionDialog
      title={row ? manuals.nameCorrection(row.part_number) : manuals.addPart}
      submit={manuals.save}
      done={manuals.corrected}
      hint={row ? manuals.nothingChanged : manuals.numberMissing}
      values={[row?.row, fields]}
      run={isReady ? run : undefined}
      onClose={onClose}
    >
      <TextField
        label={manuals.partNumber}
        value={number}
        required
        onChange={({ target }) => setNumber(target.value)}
      />
      <TextField
        label={manuals.description}
        value={description}
        onChange={({ target }) => setDescription(target.value)}
      />
      <TextField
        label={manuals.quantity}
        value={quantity}
        error={!isAmount}
        slotProps={{ htmlInput: { inputMode: "decimal" } }}
        onChange={({ target }) => setQuantity(target.value)}
      />
      <TextField label={manuals.reference} value={reference} onChange={({ target }) => setReference(target.value)} />
      <TextField label={manuals.figure} value={figure} onChange={({ target }) => setFigure(target.value)} />
      {equipment.length > 1 && (
        <FormControl component="fieldset">
          <FormLabel component="legend">{manuals.onModels}</FormLabel>
          <FormGroup row sx={{ maxHeight: "10rem", overflow: "auto" }}>
            {equipment.map((model) => (
              <FormControlLabel
                key={model}
                label={model}
                control={
                  <Checkbox
                    size="small"
                    checked={models.includes(model)}
                    onChange={({ target }) =>
                      setModels(equipment.filter((name) => (name === model ? target.checked : models.includes(name))))
                    }
                  />
                }
              />
            ))}
          </FormGroup>
          <FormHelperText>{manuals.noModelChosen}</FormHelperText>
        </FormControl>
      )}
    </ActionDialog>
  );
}
