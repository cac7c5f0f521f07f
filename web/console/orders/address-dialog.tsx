import type { AdminOrder } from "@partline/client";
import TextField from "@mui/material/TextField";
import { useState, type ReactNode } from "react";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";
import { ActionDialog } from "./action-dialog.tsx";

type Field = keyof typeof texts.address;

export function AddressDialog({ order, onClose }: { order: AdminOrder; onClose(): void }): ReactNode {
  const { orderId, shippingAddress } = order;
  const [address, setAddress] = useState<Partial<Record<Field, string | undefined>>>({ ...shippingAddress });
  const given = Object.fromEntries(Object.entries(address).filter(([, text]) => text));
  return (
    <ActionDialog
      title={texts.actions.address}
      submit={texts.actions.address}
      done={texts.actions.addressDone}
      onClose={onClose}
      run={() => partline.order.setShippingAddress({ orderId, shippingAddress: given })}
    >
      {Object.entries(texts.address).map(([field, label]) => (
        <TextField
          key={field}
          size="small"
          label={label}
          value={address[field as Field] ?? ""}
          onChange={({ target }) => setAddress({ ...address, [field]: target.value })}
        />
      ))}
    </ActionDialog>
  );
}
