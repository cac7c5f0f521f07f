import type { Purchase, Shortage } from "@partline/client";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useState, type ReactNode } from "react";
import { chosenLines, type Chosen } from "../orders/pieces.ts";
import { PiecesField } from "../orders/pieces-field.tsx";
import { partline } from "../partline.ts";
import { ActionDialog } from "../shared/action-dialog.tsx";
import { TextInput } from "../shared/text-input.tsx";
import { texts } from "../texts.ts";

const { purchases: t } = texts;

type PurchaseDialogProps = { onClose(): void } & ({ shortages: readonly Shortage[] } | { purchase: Purchase });

/** Orders the missing parts of a vendor, or changes the day and the note of a purchase. */
export function PurchaseDialog(props: PurchaseDialogProps): ReactNode {
  // As they were when the dialog was opened.
  const [{ purchase, shortages }] = useState({ purchase: undefined, shortages: [], ...props });
  const [quantities, setQuantities] = useState(shortages.map(({ missing }) => String(missing)));
  const [expectedAt, setExpectedAt] = useState(purchase?.expectedAt ?? "");
  const [note, setNote] = useState(purchase?.note ?? "");
  const areWhole = quantities.every((text) => /^\d+$/.test(text.trim()));
  const lines = shortages
    .map(({ id }, index) => ({ id, quantity: Number(quantities[index]) }))
    .filter(({ quantity }) => quantity > 0);
  const vendor = shortages[0]?.vendor;
  const create =
    vendor !== undefined && areWhole && lines.length > 0
      ? (call: object) =>
          partline.catalog.createPurchase(
            { vendor, lines, expectedAt: expectedAt || undefined, note: note.trim() || undefined },
            call,
          )
      : undefined;
  return (
    <ActionDialog
      title={purchase ? t.changeTitle(purchase.vendorName) : t.order(shortages[0]?.vendorName ?? "")}
      submit={purchase ? t.save : t.submit}
      done={purchase ? t.saved : t.submitted}
      onClose={props.onClose}
      values={[quantities, expectedAt, note]}
      run={
        purchase
          ? () =>
              partline.catalog.updatePurchase({
                ...{ purchaseId: purchase.purchaseId, version: purchase.version },
                ...{ expectedAt: expectedAt || null, note: note.trim() || null },
              })
          : create
      }
    >
      {!purchase && <Typography>{t.orderHelp}</Typography>}
      {shortages.map(({ id, partNumber, title }, index) => (
        <TextInput
          key={id}
          label={texts.order.quantity(partNumber)}
          helperText={title}
          value={quantities[index]}
          onChange={(text) => setQuantities(quantities.with(index, text))}
          slotProps={{ htmlInput: { inputMode: "numeric" } }}
        />
      ))}
      <TextField
        type="date"
        size="small"
        label={t.expectedAt}
        helperText={t.expectedHelp}
        value={expectedAt}
        onChange={({ target }) => setExpectedAt(target.value)}
        slotProps={{ inputLabel: { shrink: true } }}
      />
      <TextInput label={t.note} value={note} onChange={setNote} />
    </ActionDialog>
  );
}

/** Asks which pieces of a purchase have come. */
export function ReceiptDialog({ purchase: now, onClose }: { purchase: Purchase; onClose(): void }): ReactNode {
  const [{ purchaseId, vendorName, version, lines }] = useState(now);
  const choices = lines
    .map(({ id: productId, partNumber, title: name, quantity, received }) => ({
      ...{ productId, partNumber, name, left: quantity - received, backordered: 0, price: 0 },
    }))
    .filter(({ left }) => left > 0);
  const [chosen, setChosen] = useState<Chosen>(
    Object.fromEntries(choices.map(({ productId, left }) => [productId, left])),
  );
  const arrived = chosenLines(chosen).map(({ productId: id, quantity }) => ({ id, quantity }));
  return (
    <ActionDialog
      title={t.receiveTitle(vendorName)}
      submit={t.receiveSubmit}
      done={t.received}
      onClose={onClose}
      values={chosen}
      run={
        arrived.length === 0
          ? undefined
          : (call) => partline.catalog.receivePurchase({ purchaseId, version, lines: arrived }, call)
      }
    >
      <PiecesField choices={choices} chosen={chosen} onChange={setChosen} />
    </ActionDialog>
  );
}
