import type { AdminOrder, LabelRates, OrderReturn } from "@partline/client";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useState, type ReactNode } from "react";
import { getCurrencyDigits } from "@partline/parts-language";
import { ActionDialog } from "../shared/action-dialog.tsx";
import { ChoiceField } from "../shared/choice-field.tsx";
import { partline } from "../partline.ts";
import { TextInput } from "../shared/text-input.tsx";
import { Refusal } from "../shared/refusal.tsx";
import { texts } from "../texts.ts";
import { useReading } from "../shared/use-reading.ts";
import { parseAmount } from "./dialogs.ts";
import { describeRate } from "./rate-field.tsx";

const t = texts.order;

interface RequestedReturn {
  order: AdminOrder;
  orderReturn: OrderReturn;
}

/** Approves a return that the buyer requested, or refuses it with a reason that the buyer reads. */
export function Decision({ order, orderReturn }: RequestedReturn): ReactNode {
  const [open, setOpen] = useState<"approve" | "refuse">();
  const [refusal, setRefusal] = useState("");
  const ids = { orderId: order.orderId, returnId: orderReturn.returnId };
  const close = (): void => setOpen(undefined);
  return (
    <>
      <Stack direction="row" spacing={1} className="no-print">
        <Button size="small" variant="contained" onClick={() => setOpen("approve")}>
          {t.approveReturn}
        </Button>
        <Button size="small" variant="outlined" onClick={() => setOpen("refuse")}>
          {t.refuseReturn}
        </Button>
      </Stack>
      {open === "approve" && <ApproveDialog order={order} orderReturn={orderReturn} onClose={close} />}
      {open === "refuse" && (
        <ActionDialog
          title={t.refuseReturnTitle}
          submit={t.refuseReturn}
          done={t.returnRefused}
          hint={t.refusalMissing}
          onClose={close}
          values={refusal}
          run={
            refusal.trim() === ""
              ? undefined
              : (call) => partline.order.adminDecideReturn({ ...ids, decision: "refused", refusal }, call)
          }
        >
          <TextInput
            label={t.refusal}
            value={refusal}
            onChange={setRefusal}
            multiline
            minRows={3}
            slotProps={{ htmlInput: { maxLength: 1_000 } }}
          />
        </ActionDialog>
      )}
    </>
  );
}

const [BUY, NONE] = ["buy", "none"];

/** Asks which fee is kept, and whether the shop pays the way back. */
function ApproveDialog({ order: now, orderReturn, onClose }: RequestedReturn & { onClose(): void }): ReactNode {
  // As it was when the dialog was opened: a press after a lost answer makes the same request.
  const [order] = useState(now);
  const { orderId, currency, labelOffered } = order;
  const { returnId } = orderReturn;
  const [fee, setFee] = useState(String(orderReturn.restockingFee));
  const [chosenLabel, setLabel] = useState(BUY);
  const { data, refusal } = useReading(["return-label", orderId, returnId], async (signal): Promise<LabelRates> =>
    labelOffered ? partline.order.adminLabelRates({ orderId, returnId }, { signal }) : { rates: [] },
  );
  const [cheapest] = refusal === undefined ? (data?.rates ?? []) : [];
  // While EasyPost is away, a label may still be bought later.
  const mayBuy = cheapest !== undefined || (labelOffered && refusal !== undefined);
  const label = mayBuy ? chosenLabel : NONE;
  const restockingFee = parseAmount(fee || "0", order);
  const isAsking = data === undefined && refusal === undefined;
  return (
    <ActionDialog
      title={`${t.approveReturn}: ${order.orderNumber}`}
      submit={t.approveReturn}
      done={t.returnApproved}
      hint={isAsking ? texts.actions.loadingRates : texts.actions.noAmount(getCurrencyDigits(currency))}
      onClose={onClose}
      values={[fee, label]}
      run={
        isAsking || restockingFee === undefined
          ? undefined
          : (call) =>
              partline.order.adminDecideReturn(
                { orderId, returnId, decision: "approved", restockingFee, label: label === BUY },
                call,
              )
      }
    >
      <Typography>{t.approveReturnQuestion}</Typography>
      <TextInput
        label={`${texts.actions.restockingFee} (${currency.toUpperCase()})`}
        value={fee}
        onChange={setFee}
        slotProps={{ htmlInput: { inputMode: "decimal" } }}
      />
      {mayBuy && (
        <ChoiceField
          label={texts.actions.label}
          value={label}
          values={[
            [BUY, cheapest ? t.describeReturnLabel(describeRate(cheapest)) : t.returnLabelLater],
            [NONE, t.noReturnLabel],
          ]}
          onChange={setLabel}
        />
      )}
      {labelOffered && !isAsking && !mayBuy && <Typography>{texts.actions.noRates}</Typography>}
      <Refusal error={refusal} />
    </ActionDialog>
  );
}

/** What the buyer wrote and showed, and why the shop refused. */
export function Details({ order, returnId }: { order: AdminOrder; returnId: string }): ReactNode {
  const details = order.returnDetails?.find((candidate) => candidate.returnId === returnId);
  if (!details) return null;
  const { comment, photos = [], refusal } = details;
  const words = [comment && t.quote(comment), refusal && `${t.returnStates.refused}: ${refusal}`];
  return (
    <>
      {words.filter(Boolean).map((text) => (
        <Typography key={text} variant="body2" sx={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
          {text}
        </Typography>
      ))}
      <Stack direction="row" spacing={1} className="no-print">
        {photos.map((photo, index) => {
          const address = `/api/admin/orders/${encodeURIComponent(order.orderId)}/photos/${photo}`;
          return (
            <a key={photo} href={address} target="_blank" rel="noreferrer">
              <Box
                component="img"
                src={address}
                alt={t.returnPhoto(index + 1)}
                loading="lazy"
                sx={{ width: 96, height: 96, objectFit: "cover", border: 1, borderColor: "divider" }}
              />
            </a>
          );
        })}
      </Stack>
    </>
  );
}
