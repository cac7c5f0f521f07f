import type { AdminOrder } from "@partline/client";
import TextField from "@mui/material/TextField";
import { useState, type ReactNode } from "react";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { allOf, chosenLines, choicesOf, toShip } from "./pieces.ts";
import { PiecesField } from "./pieces-field.tsx";

/** Ships all that is left, unless one takes less. */
export function ShipDialog({ order, onClose }: { order: AdminOrder; onClose(): void }): ReactNode {
  const choices = choicesOf(order, toShip);
  const [chosen, setChosen] = useState(allOf(choices));
  const [carrier, setCarrier] = useState("");
  const [trackingNumber, setTracking] = useState("");
  const lines = chosenLines(chosen);
  const { orderId, version } = order;
  return (
    <ActionDialog
      title={`${texts.actions.ship} ${order.orderNumber}`}
      submit={texts.actions.ship}
      done={texts.actions.shipped}
      onClose={onClose}
      run={
        lines.length === 0
          ? undefined
          : () =>
              partline.order.adminShip({
                ...{ orderId, version, lines },
                ...(carrier ? { carrier } : {}),
                ...(trackingNumber ? { trackingNumber } : {}),
              })
      }
    >
      <PiecesField choices={choices} chosen={chosen} onChange={setChosen} />
      <TextField
        size="small"
        label={texts.order.carrier}
        value={carrier}
        onChange={({ target }) => setCarrier(target.value)}
      />
      <TextField
        size="small"
        label={texts.order.tracking}
        value={trackingNumber}
        onChange={({ target }) => setTracking(target.value)}
      />
    </ActionDialog>
  );
}
