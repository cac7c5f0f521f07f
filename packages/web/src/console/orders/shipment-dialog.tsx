import type { AdminOrder, AdminShipment } from "@partline/client";
import { useState, type ReactNode } from "react";
import { ActionDialog } from "../shared/action-dialog.tsx";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";
import { TextInput } from "../shared/text-input.tsx";
import { filled } from "./dialogs.ts";

interface ShipmentDialogProps {
  order: AdminOrder;
  shipment: AdminShipment;
  onClose(): void;
}

/** Adds or corrects how a shipment travels, once it has left. */
export function ShipmentDialog({ order, shipment, onClose }: ShipmentDialogProps): ReactNode {
  const [{ orderId, version }] = useState(order);
  const [carrier, setCarrier] = useState(shipment.carrier ?? "");
  const [trackingNumber, setTrackingNumber] = useState(shipment.trackingNumber ?? "");
  const inputs = filled({ carrier: carrier.trim(), trackingNumber: trackingNumber.trim() });
  const details = Object.fromEntries(
    Object.entries(inputs).filter(([name, value]) => value !== shipment[name as "carrier" | "trackingNumber"]),
  );
  const { shipmentId } = shipment;
  return (
    <ActionDialog
      title={texts.order.correctTitle}
      submit={texts.order.correctSubmit}
      done={texts.order.corrected}
      hint={texts.order.nothingGiven}
      onClose={onClose}
      values={details}
      run={
        Object.keys(details).length === 0
          ? undefined
          : () => partline.order.adminCorrectShipment({ orderId, version, shipmentId, ...details })
      }
    >
      <TextInput label={texts.order.carrier} value={carrier} onChange={setCarrier} />
      <TextInput label={texts.order.tracking} value={trackingNumber} onChange={setTrackingNumber} />
    </ActionDialog>
  );
}
