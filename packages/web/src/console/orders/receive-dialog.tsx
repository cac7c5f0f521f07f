import type { AdminOrder, OrderReturn } from "@partline/client";
import Typography from "@mui/material/Typography";
import { useState, type ReactNode } from "react";
import { ActionDialog } from "../shared/action-dialog.tsx";
import { Facts } from "../shared/facts.tsx";
import { money } from "../shared/format.ts";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";
import { choicesAwaited, chosenLines, refundOfReturn, type Chosen } from "./pieces.ts";
import { PiecesField } from "./pieces-field.tsx";
import { RETURN_REASONS } from "./reasons.ts";

interface ReceiveDialogProps {
  order: AdminOrder;
  made: OrderReturn;
  onClose(): void;
}

/** Asks which pieces of a return have come, and says what is refunded for them. */
export function ReceiveDialog({ order: now, made: madeNow, onClose }: ReceiveDialogProps): ReactNode {
  // As they were when the dialog was opened: a press after a lost answer makes the same request.
  const [{ order, orderReturn }] = useState({ order: now, orderReturn: madeNow });
  const choices = choicesAwaited(order, orderReturn);
  const [chosen, setChosen] = useState<Chosen>(
    Object.fromEntries(choices.map(({ productId, left }) => [productId, left])),
  );
  const { orderId, currency } = order;
  const { returnId, reason, restockingFee } = orderReturn;
  const lines = chosenLines(chosen);
  return (
    <ActionDialog
      title={`${texts.order.received} ${order.orderNumber}`}
      submit={texts.order.receivedSubmit}
      done={texts.order.receivedDone}
      onClose={onClose}
      values={chosen}
      run={
        lines.length === 0 ? undefined : (call) => partline.order.adminReceiveReturn({ orderId, returnId, lines }, call)
      }
    >
      <Facts
        facts={[
          [texts.actions.reason, RETURN_REASONS.find(([value]) => value === reason)?.[1] ?? reason],
          [texts.actions.restockingFee, restockingFee > 0 ? money(restockingFee, currency) : undefined],
        ]}
      />
      <PiecesField choices={choices} chosen={chosen} onChange={setChosen} />
      {lines.length > 0 && (
        <Typography role="status">
          {texts.actions.upTo(money(refundOfReturn(order, orderReturn, chosen), currency))}
        </Typography>
      )}
    </ActionDialog>
  );
}
