import type { AdminOrder, OrderReturn } from "@partline/client";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useState, type ReactNode } from "react";
import { Link } from "react-admin";
import { getCurrencyDigits } from "@partline/parts-language";
import { ActionDialog } from "../shared/action-dialog.tsx";
import { Facts } from "../shared/facts.tsx";
import { money } from "../shared/format.ts";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";
import { ChoiceField } from "../shared/choice-field.tsx";
import { TextInput } from "../shared/text-input.tsx";
import { parseAmount } from "./dialogs.ts";
import { choicesAwaited, feeOfReturn, refundOfReturn, type Choice } from "./pieces.ts";
import { PiecesField, useListedParts } from "./pieces-field.tsx";
import { RETURN_CONDITIONS, RETURN_REASONS, type ReturnCondition } from "./reasons.ts";

interface ReceiveDialogProps {
  order: AdminOrder;
  made: OrderReturn;
  onClose(): void;
}

/** Pieces of a product that came back in one condition. */
interface Batch {
  productId: string;
  quantity: number;
  condition: ReturnCondition;
  fee: string;
}

/** Asks which pieces of a return have come, and says what is refunded for them. */
export function ReceiveDialog({ order: now, made: madeNow, onClose }: ReceiveDialogProps): ReactNode {
  // As they were when the dialog was opened: a press after a lost answer makes the same request.
  const [{ order, orderReturn }] = useState({ order: now, orderReturn: madeNow });
  const choices = choicesAwaited(order, orderReturn);
  const parts = useListedParts(choices.map(({ productId }) => productId));
  const { orderId, currency } = order;
  const { returnId, reason } = orderReturn;
  const allPieces = Object.fromEntries(choices.map(({ productId, left }) => [productId, left]));
  const usualFee = refundOfReturn(order, 0, allPieces) > 0 ? feeOfReturn(orderReturn) : 0;
  const [batches, setBatches] = useState<readonly Batch[]>(
    choices.map(({ productId, left: quantity }, index) => ({
      ...{ productId, quantity, condition: "resalable" },
      // The fee of the return is kept from what comes first.
      fee: index === 0 ? String(usualFee) : "0",
    })),
  );
  const change = (batch: Batch, news: Partial<Batch>): void =>
    setBatches(batches.map((previous) => (previous === batch ? { ...batch, ...news } : previous)));
  const lines = batches
    .filter(({ quantity }) => quantity > 0)
    .map(({ fee, ...line }) => ({ ...line, restockingFee: parseAmount(fee || "0", order) }));
  const restockingFee = lines.reduce<number | undefined>(
    (sum, line) => (sum === undefined || line.restockingFee === undefined ? undefined : sum + line.restockingFee),
    0,
  );
  const countPieces = (product: string): number =>
    batches.reduce((sum, { productId, quantity }) => sum + (productId === product ? quantity : 0), 0);
  const chosen = Object.fromEntries(choices.map(({ productId }) => [productId, countPieces(productId)]));
  /** Takes one piece from the batch that has most. */
  const split = ({ productId, left }: Choice): void => {
    const productBatches = batches.filter((batch) => batch.productId === productId);
    const [largest] = productBatches.toSorted((a, b) => b.quantity - a.quantity);
    const isFull = countPieces(productId) === left;
    const condition = RETURN_CONDITIONS.find(([value]) =>
      productBatches.every((batch) => batch.condition !== value),
    )?.[0];
    if (!largest || condition === undefined) return;
    const reduced = isFull ? { ...largest, quantity: largest.quantity - 1 } : largest;
    setBatches([
      ...batches.map((batch) => (batch === largest ? reduced : batch)),
      { productId, quantity: 1, condition, fee: "0" },
    ]);
  };
  return (
    <ActionDialog
      title={`${texts.order.received} ${order.orderNumber}`}
      submit={texts.order.receivedSubmit}
      done={texts.order.receivedDone}
      onClose={onClose}
      values={batches}
      hint={restockingFee === undefined ? texts.actions.noAmount(getCurrencyDigits(currency)) : undefined}
      run={
        lines.length === 0 || restockingFee === undefined
          ? undefined
          : (call) => partline.order.adminReceiveReturn({ orderId, returnId, lines }, call)
      }
    >
      <Facts facts={[[texts.actions.reason, RETURN_REASONS.find(([value]) => value === reason)?.[1] ?? reason]]} />
      {choices.map((choice) => {
        const { productId, partNumber, left } = choice;
        const productBatches = batches.filter((batch) => batch.productId === productId);
        return (
          <Stack key={productId} spacing={1.5}>
            {productBatches.map((batch, index) => (
              <Stack key={index} spacing={1.5}>
                <PiecesField
                  choices={[{ ...choice, left: left - countPieces(productId) + batch.quantity }]}
                  chosen={{ [productId]: batch.quantity }}
                  onChange={({ [productId]: quantity = 0 }) => change(batch, { quantity })}
                />
                {batch.quantity > 0 && (
                  <Stack direction={{ xs: "column", sm: "row" }} spacing={1.5} sx={{ "& > *": { flex: 1 } }}>
                    <ChoiceField<ReturnCondition>
                      label={texts.order.nameCondition(partNumber)}
                      value={batch.condition}
                      values={RETURN_CONDITIONS}
                      onChange={(condition) => change(batch, { condition })}
                    />
                    <TextInput
                      label={texts.order.nameFee(partNumber, currency.toUpperCase())}
                      value={batch.fee}
                      onChange={(fee) => change(batch, { fee })}
                      slotProps={{ htmlInput: { inputMode: "decimal" } }}
                    />
                  </Stack>
                )}
              </Stack>
            ))}
            {parts[productId] && parts[productId].stock?.own === undefined && (
              <Typography variant="body2" role="status">
                {texts.order.describeUncounted(partNumber)}{" "}
                <Link to={`/catalog-parts/${encodeURIComponent(productId)}/show`} target="_blank">
                  {texts.stock.count}
                </Link>
              </Typography>
            )}
            {left > productBatches.length && productBatches.length < RETURN_CONDITIONS.length && (
              <Button size="small" sx={{ alignSelf: "start" }} onClick={() => split(choice)}>
                {texts.order.nameOtherCondition(partNumber)}
              </Button>
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
