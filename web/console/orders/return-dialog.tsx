import type { AdminOrder } from "@partline/client";
import TextField from "@mui/material/TextField";
import { useState, type ReactNode } from "react";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { ChoiceField } from "./choice-field.tsx";
import { type Chosen, chosenLines, choicesOf, wereShipped } from "./pieces.ts";
import { PiecesField } from "./pieces-field.tsx";
import { RETURN_REASONS, type ReturnReason } from "./reasons.ts";

/** Expects pieces back: they are refunded when they come. */
export function ReturnDialog({ order, onClose }: { order: AdminOrder; onClose(): void }): ReactNode {
  const { orderId, currency } = order;
  const [chosen, setChosen] = useState<Chosen>({});
  const [reason, setReason] = useState<ReturnReason>("not_needed");
  const [fee, setFee] = useState("0");
  const lines = chosenLines(chosen);
  return (
    <ActionDialog
      title={texts.actions.returnTitle}
      submit={texts.actions.returnSubmit}
      done={texts.actions.returned}
      onClose={onClose}
      run={
        lines.length === 0
          ? undefined
          : () => partline.order.adminReturn({ orderId, lines, reason, restockingFee: Number(fee) })
      }
    >
      <PiecesField choices={choicesOf(order, wereShipped)} chosen={chosen} onChange={setChosen} />
      <ChoiceField<ReturnReason>
        label={texts.actions.reason}
        value={reason}
        values={RETURN_REASONS}
        onChange={setReason}
      />
      <TextField
        size="small"
        label={`${texts.actions.restockingFee} (${currency.toUpperCase()})`}
        value={fee}
        onChange={({ target }) => setFee(target.value)}
        slotProps={{ htmlInput: { inputMode: "decimal" } }}
      />
    </ActionDialog>
  );
}
