import type { AdminOrder, OrderReturn } from "@partline/client";
import Stack from "@mui/material/Stack";
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
  // The fee of the return is kept from what comes first.
  const [fees, setFees] = useState<Texts>({ [choices[0]?.productId ?? ""]: String(feeOfReturn(orderReturn)) });
  const [conditions, setConditions] = useState<Readonly<Record<string, ReturnCondition>>>({});
  const lines = chosenLines(chosen).map(({ productId, quantity }) => ({
    ...{ productId, quantity },
    condition: conditions[productId] ?? "resalable",
    restockingFee: amountOf(fees[productId] || "0", order),
  }));
  const restockingFee = lines.reduce<number | undefined>(
    (sum, line) => (sum === undefined || line.restockingFee === undefined ? undefined : sum + line.restockingFee),
    0,
  );
  return (
    <ActionDialog
      title={`${texts.order.received} ${order.orderNumber}`}
      submit={texts.order.receivedSubmit}
      done={texts.order.receivedDone}
      onClose={onClose}
      values={[chosen, fees, conditions]}
      hint={restockingFee === undefined ? texts.actions.noAmount(getCurrencyDigits(currency)) : undefined}
      run={
        lines.length === 0 || restockingFee === undefined
          ? undefined
          : (call) => partline.order.adminReceiveReturn({ orderId, returnId, lines }, call)
      }
    >
      <Facts facts={[[texts.actions.reason, RETURN_REASONS.find(([value]) => value === reason)?.[1] ?? reason]]} />
      {choices.map((choice) => {
        const { productId, partNumber } = choice;
        return (
          <Stack key={productId} spacing={1.5}>
            <PiecesField choices={[choice]} chosen={chosen} onChange={setChosen} />
            {(chosen[productId] ?? 0) > 0 && (
              <Stack direction={{ xs: "column", sm: "row" }} spacing={1.5} sx={{ "& > *": { flex: 1 } }}>
                <ChoiceField<ReturnCondition>
                  label={texts.order.nameCondition(partNumber)}
                  value={conditions[productId] ?? "resalable"}
                  values={RETURN_CONDITIONS}
                  onChange={(condition) => setConditions({ ...conditions, [productId]: condition })}
                />
                <TextInput
                  label={texts.order.nameFee(partNumber, currency.toUpperCase())}
                  value={fees[productId] ?? "0"}
                  onChange={(fee) => setFees({ ...fees, [productId]: fee })}
                  slotProps={{ htmlInput: { inputMode: "decimal" } }}
                />
              </Stack>
            )}
          </Stack>
        );
      })}
      {lines.length > 0 && restockingFee !== undefined && (
        <Typography role="status">
          {texts.actions.upTo(money(refundOfReturn(order, restockingFee, chosen), currency))}
        </Typography>
      )}
    </ActionDialog>
  );
}

type Texts = Readonly<Record<string, string>>;
