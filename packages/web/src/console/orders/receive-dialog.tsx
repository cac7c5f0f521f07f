import type { AdminOrder, OrderReturn } from "@partline/client";
import Typography from "@mui/material/Typography";
import { useState, type ReactNode } from "react";
import { getCurrencyDigits } from "@partline/parts-language";
import { ActionDialog } from "../shared/action-dialog.tsx";
import { Facts } from "../shared/facts.tsx";
import { money } from "../shared/format.ts";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";
import { ChoiceField } from "../shared/choice-field.tsx";
import { TextInput } from "../shared/text-input.tsx";
import { amountOf } from "./dialogs.ts";
import { choicesAwaited, chosenLines, feeOfReturn, refundOfReturn, type Chosen } from "./pieces.ts";
import { PiecesField } from "./pieces-field.tsx";
import { RETURN_CONDITIONS, RETURN_REASONS, type ReturnCondition } from "./reasons.ts";

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
  const { returnId, reason } = orderReturn;
  const [feeText, setFeeText] = useState(String(feeOfReturn(orderReturn)));
  const [condition, setCondition] = useState<ReturnCondition>("resalable");
  const lines = chosenLines(chosen);
  const restockingFee = amountOf(feeText || "0", order);
  return (
    <ActionDialog
      title={`${texts.order.received} ${order.orderNumber}`}
      submit={texts.order.receivedSubmit}
      done={texts.order.receivedDone}
      onClose={onClose}
      values={[chosen, feeText, condition]}
      hint={restockingFee === undefined ? texts.actions.noAmount(getCurrencyDigits(currency)) : undefined}
      run={
        lines.length === 0 || restockingFee === undefined
          ? undefined
          : (call) => partline.order.adminReceiveReturn({ orderId, returnId, lines, restockingFee, condition }, call)
      }
    >
      <Facts facts={[[texts.actions.reason, RETURN_REASONS.find(([value]) => value === reason)?.[1] ?? reason]]} />
      <PiecesField choices={choices} chosen={chosen} onChange={setChosen} />
      <ChoiceField<ReturnCondition>
        label={texts.order.condition}
        value={condition}
        values={RETURN_CONDITIONS}
        onChange={setCondition}
      />
      <TextInput
        label={`${texts.actions.restockingFee} (${currency.toUpperCase()})`}
        value={feeText}
        onChange={setFeeText}
        slotProps={{ htmlInput: { inputMode: "decimal" } }}
      />
      {lines.length > 0 && restockingFee !== undefined && (
        <Typography role="status">
          {texts.actions.upTo(money(refundOfReturn(order, restockingFee, chosen), currency))}
        </Typography>
      )}
    </ActionDialog>
  );
}
