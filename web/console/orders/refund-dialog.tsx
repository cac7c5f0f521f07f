import type { AdminOrder } from "@partline/client";
import TextField from "@mui/material/TextField";
import { useState, type ReactNode } from "react";
import { money } from "../format.ts";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { ChoiceField } from "./choice-field.tsx";
import { type Chosen, chosenLines, choicesOf, notGone } from "./pieces.ts";
import { PiecesField } from "./pieces-field.tsx";
import { REFUND_REASONS, type RefundReason } from "./reasons.ts";

type By = "pieces" | "amount" | "rest";

/** Refunds pieces, an amount, or all that is left. What is refunded stays with the buyer. */
export function RefundDialog({ order, onClose }: { order: AdminOrder; onClose(): void }): ReactNode {
  const { orderId, total, refundedAmount, currency } = order;
  const [by, setBy] = useState<By>("pieces");
  const [chosen, setChosen] = useState<Chosen>({});
  const [amount, setAmount] = useState("");
  const [reason, setReason] = useState<RefundReason>("requested_by_customer");
  const items = chosenLines(chosen);
  const what = { pieces: { items }, amount: { amount: Number(amount) }, rest: {} }[by];
  const isGiven = by === "rest" || (by === "pieces" ? items.length > 0 : amount.trim() !== "");
  const values = [
    ["pieces", texts.actions.byPieces],
    ["amount", texts.actions.byAmount],
    ["rest", `${texts.actions.byRest}: ${money(total - refundedAmount, currency)}`],
  ] as const;
  return (
    <ActionDialog
      title={`${texts.actions.refund} ${order.orderNumber}`}
      submit={texts.actions.refund}
      done={texts.actions.refunded}
      onClose={onClose}
      run={isGiven ? () => partline.order.adminRefund({ orderId, reason, ...what }) : undefined}
    >
      <ChoiceField<By> label={texts.actions.refundBy} value={by} values={values} onChange={setBy} />
      {by === "pieces" && <PiecesField choices={choicesOf(order, notGone)} chosen={chosen} onChange={setChosen} />}
      {by === "amount" && (
        <TextField
          size="small"
          label={`${texts.actions.amount} (${currency.toUpperCase()})`}
          value={amount}
          onChange={({ target }) => setAmount(target.value)}
          slotProps={{ htmlInput: { inputMode: "decimal" } }}
        />
      )}
      <ChoiceField<RefundReason>
        label={texts.actions.reason}
        value={reason}
        values={REFUND_REASONS}
        onChange={setReason}
      />
    </ActionDialog>
  );
}
