import type { AdminOrder } from "@partline/client";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useState, type ReactNode } from "react";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";
import type { DialogName } from "./dialogs.ts";
import { isDisputed } from "./disputes.tsx";
import { OrderDialog } from "./order-dialog.tsx";
import { listChoices, toShip, wereShipped } from "./pieces.ts";
import { Confirmed } from "../shared/confirmed.tsx";
import { refusalText } from "../shared/refusal-text.ts";
import { useAction } from "../shared/use-action.ts";

const CHARGED = ["paid", "partially_refunded"];

/** Shows what can be done to the order in its present state. */
export function OrderActions({ order }: { order: AdminOrder }): ReactNode {
  const [open, setOpen] = useState<DialogName>();
  const { orderId, version, status, paymentStatus } = order;
  const hasOpen = listChoices(order, toShip).length > 0;
  const may = useMay();
  const isPickup = order.fulfilment === "pickup";
  const packing = useAction(order.packed ? texts.actions.unpackDone : texts.actions.packDone);
  const ships = isPickup ? "ready" : "ship";
  const buttons: [DialogName, boolean][] = [
    [ships, may("orders:write") && hasOpen && !order.addressMissing && CHARGED.includes(paymentStatus)],
    ["address", may("orders:write") && hasOpen && !order.shipments?.length && !isPickup],
    ["contact", may("orders:write")],
    ["delay", may("orders:write") && hasOpen],
    ["cancel", may("orders:refund") && hasOpen],
    ["refund", may("orders:refund") && CHARGED.includes(paymentStatus) && status !== "cancelled"],
    ["settle", may("orders:refund") && order.refundDue !== undefined],
    ["return", may("orders:write") && listChoices(order, wereShipped).length > 0],
  ];
  const paper = (name: string): string => `/api/admin/orders/${encodeURIComponent(orderId)}/${name}.pdf`;
  return (
    <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: "wrap" }} className="no-print">
      {buttons
        .filter(([, isPossible]) => isPossible)
        .map(([name]) => (
          <Button
            key={name}
            variant={name === ships && !isDisputed(order) ? "contained" : "outlined"}
            onClick={() => setOpen(name)}
          >
            {texts.actions[name]}
          </Button>
        ))}
      {may("orders:write") && status === "shipped" && (
        <Confirmed
          variant={isPickup ? "contained" : "outlined"}
          label={isPickup ? texts.actions.pickedUp : texts.actions.delivered}
          question={isPickup ? texts.actions.pickedUpQuestion : texts.actions.deliveredQuestion}
          done={isPickup ? texts.actions.pickedUpDone : texts.actions.deliveredDone}
          run={() => partline.order.adminUpdate({ orderId, version, status: "delivered" })}
        />
      )}
      {may("orders:write") &&
        (order.packed || order.items.some(({ quantities }) => quantities.open > 0)) &&
        !isPickup && (
          <Button
            variant="outlined"
            disabled={packing.isBusy}
            onClick={() =>
              packing.act(async () => {
                const { refused } = await partline.order.adminMarkPacked({
                  orderIds: [orderId],
                  packed: !order.packed,
                });
                for (const { code, message } of refused) throw new Error(refusalText(code, message));
              })
            }
          >
            {order.packed ? texts.actions.unpack : texts.actions.pack}
          </Button>
        )}
      {hasOpen && (
        <Button variant="outlined" href={paper("packing-slip")} target="_blank">
          {texts.order.packingSlip}
        </Button>
      )}
      <Button variant="outlined" href={paper("invoice")} target="_blank">
        {texts.order.invoice}
      </Button>
      {open && <OrderDialog name={open} order={order} onClose={() => setOpen(undefined)} />}
    </Stack>
  );
}
