import type { AdminOrder, Shipment } from "@partline/client";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useState, type ReactNode } from "react";
import { trackingLink } from "../../shared/tracking.ts";
import { moment } from "../shared/format.ts";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { Refusal } from "../shared/refusal.tsx";
import { texts } from "../texts.ts";
import { Section } from "../shared/section.tsx";
import { useAction } from "../shared/use-action.ts";
import { ShipmentDialog } from "./shipment-dialog.tsx";

type Return = NonNullable<AdminOrder["returns"]>[number];

/** What left, and what comes back. */
export function Movements({ order }: { order: AdminOrder }): ReactNode {
  const { shipments = [], returns = [], orderId } = order;
  return (
    <>
      {shipments.length > 0 && (
        <Section title={texts.order.shipments}>
          {shipments.map((shipment) => (
            <Sent key={shipment.shipmentId} order={order} shipment={shipment} />
          ))}
        </Section>
      )}
      {returns.length > 0 && (
        <Section title={texts.order.returns}>
          {returns.map((made) => (
            <Returned key={made.returnId} orderId={orderId} made={made} />
          ))}
        </Section>
      )}
    </>
  );
}

function Sent({ order, shipment }: { order: AdminOrder; shipment: Shipment }): ReactNode {
  const { createdAt, carrier, trackingNumber } = shipment;
  const [isOpen, setIsOpen] = useState(false);
  const link = trackingLink(carrier, trackingNumber);
  const may = useMay();
  return (
    <Stack direction="row" spacing={1} useFlexGap sx={{ alignItems: "center", flexWrap: "wrap" }}>
      <Typography sx={{ flex: 1, minWidth: "12rem", overflowWrap: "anywhere" }}>
        {[moment(createdAt), pieces(shipment), carrier].filter(Boolean).join(" · ")}
        {trackingNumber && " · "}
        {link === undefined ? (
          trackingNumber
        ) : (
          <Link href={link} target="_blank" rel="noreferrer">
            {trackingNumber}
          </Link>
        )}
      </Typography>
      {may("orders:write") && order.fulfilment !== "pickup" && (
        <Button size="small" variant="outlined" className="no-print" onClick={() => setIsOpen(true)}>
          {trackingNumber ? texts.order.correct : texts.order.addTracking}
        </Button>
      )}
      {isOpen && <ShipmentDialog order={order} shipment={shipment} onClose={() => setIsOpen(false)} />}
    </Stack>
  );
}

function Returned({ orderId, made }: { orderId: string; made: Return }): ReactNode {
  const { returnId, receivedAt } = made;
  const may = useMay();
  const { act, refusal, isBusy } = useAction(texts.order.receivedDone);
  return (
    <>
      <Stack direction="row" spacing={1} sx={{ alignItems: "center" }}>
        <Typography sx={{ flex: 1 }}>
          {`${pieces(made)} · ${receivedAt ? texts.order.receivedAt(moment(receivedAt)) : texts.order.expected}`}
        </Typography>
        {may("orders:refund") && !receivedAt && (
          <Button
            size="small"
            variant="outlined"
            disabled={isBusy}
            onClick={() => act(() => partline.order.adminReceiveReturn({ orderId, returnId }))}
          >
            {texts.order.received}
          </Button>
        )}
      </Stack>
      <Refusal of={refusal} />
    </>
  );
}

function pieces({ items }: Pick<Shipment, "items">): string {
  return items.map(({ partNumber, quantity }) => `${quantity} × ${partNumber}`).join(", ");
}
