import type { AdminOrder, Shipment } from "@partline/client";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { moment } from "../shared/format.ts";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { Refusal } from "../shared/refusal.tsx";
import { texts } from "../texts.ts";
import { Section } from "../shared/section.tsx";
import { useAction } from "../shared/use-action.ts";

type Return = NonNullable<AdminOrder["returns"]>[number];

/** What left, and what comes back. */
export function Movements({ order }: { order: AdminOrder }): ReactNode {
  const { shipments = [], returns = [], orderId } = order;
  return (
    <>
      {shipments.length > 0 && (
        <Section title={texts.order.shipments}>
          {shipments.map((shipment) => (
            <Typography key={shipment.shipmentId}>
              {[moment(shipment.createdAt), pieces(shipment), shipment.carrier, shipment.trackingNumber]
                .filter(Boolean)
                .join(" · ")}
            </Typography>
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
