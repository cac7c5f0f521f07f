import type { AdminOrder } from "@partline/client";
import { useState, type ReactNode } from "react";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { ChoiceField } from "./choice-field.tsx";
import { allOf, chosenLines, choicesOf, isAll, notGone, toShip } from "./pieces.ts";
import { PiecesField } from "./pieces-field.tsx";
import { REFUND_REASONS, type RefundReason } from "./reasons.ts";

/** Cancels pieces that are not shipped; with all pieces of an order, the order. */
export function CancelDialog({ order, onClose }: { order: AdminOrder; onClose(): void }): ReactNode {
  const choices = choicesOf(order, toShip);
  const [chosen, setChosen] = useState(allOf(choices));
  const [reason, setReason] = useState<RefundReason>("requested_by_customer");
  const { orderId } = order;
  const lines = chosenLines(chosen);
  const isWhole = isAll(choicesOf(order, notGone), chosen);
  const cancel = () =>
    isWhole ? partline.order.cancel({ orderId, reason }) : partline.order.adminCancelLines({ orderId, lines, reason });
  return (
    <ActionDialog
      title={texts.actions.cancelTitle}
      submit={texts.actions.cancelSubmit}
      done={texts.actions.cancelled}
      onClose={onClose}
      run={lines.length === 0 ? undefined : cancel}
    >
      <PiecesField choices={choices} chosen={chosen} onChange={setChosen} />
      <ChoiceField<RefundReason>
        label={texts.actions.reason}
        value={reason}
        values={REFUND_REASONS}
        onChange={setReason}
      />
    </ActionDialog>
  );
}
