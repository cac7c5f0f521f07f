import type { AdminOrder, AdminShipment, OrderReturn, ReturnReceipt } from "@partline/client";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useEffect, useState, type ReactNode } from "react";
import { useRefresh } from "react-admin";
import { findTrackingLink, nameCarrier } from "@partline/toolkit/pure";
import { formatDay, moment, money } from "../shared/format.ts";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { Confirmed } from "../shared/confirmed.tsx";
import { texts } from "../texts.ts";
import { Section } from "../shared/section.tsx";
import { RETURN_CONDITIONS } from "./reasons.ts";
import { ReceiveDialog } from "./receive-dialog.tsx";
import { RETURN_REASONS } from "./reasons.ts";
import { Decision, Details } from "./return-request.tsx";
import { ShipmentDialog } from "./shipment-dialog.tsx";

/** Period of looking whether a label is bought. */
const PENDING_MS = 2_000;

/** Shows what left, and what comes back. */
export function Movements({ order }: { order: AdminOrder }): ReactNode {
  const { shipments = [], returns = [] } = order;
  return (
    <>
      {shipments.length > 0 && (
        <Section title={order.fulfilment === "pickup" ? texts.order.readyItems : texts.order.shipments}>
          {shipments.map((shipment) => (
            <Sent key={shipment.shipmentId} order={order} shipment={shipment} />
          ))}
        </Section>
      )}
      {returns.length > 0 && (
        <Section title={texts.order.returns}>
          {returns.map((orderReturn) => (
            <Returned key={orderReturn.returnId} order={order} orderReturn={orderReturn} />
          ))}
        </Section>
      )}
    </>
  );
}

/** What can be done stands beside the words, on a phone below them. */
const WORDS = { flex: { xs: "1 0 100%", sm: 1 }, minWidth: "12rem" };

function Sent({ order, shipment }: { order: AdminOrder; shipment: AdminShipment }): ReactNode {
  const { orderId, version, fulfilment } = order;
  const { shipmentId, createdAt, carrier, trackingNumber, cancellableUntil } = shipment;
  const arrival = describeArrival(shipment);
  const label = order.labels?.find((candidate) => candidate.shipmentId === shipmentId && candidate.state === "bought");
  const isPickup = fulfilment === "pickup";
  const [isOpen, setIsOpen] = useState(false);
  const may = useMay();
  return (
    <Stack direction="row" spacing={1} useFlexGap sx={{ alignItems: "center", flexWrap: "wrap" }}>
      <Typography sx={{ ...WORDS, overflowWrap: "anywhere" }}>
        {[moment(createdAt), pieces(shipment), arrival, carrier && nameCarrier(carrier)].filter(Boolean).join(" · ")}
        {trackingNumber && <Tracking carrier={carrier} number={trackingNumber} />}
      </Typography>
      <Button
        size="small"
        variant="outlined"
        className="no-print"
        href={`/api/admin/orders/${encodeURIComponent(orderId)}/shipments/${shipmentId}/packing-slip.pdf`}
        target="_blank"
      >
        {texts.order.packingSlip}
      </Button>
      {label?.url && <PrintLabel url={label.url} />}
      {may("orders:write") && !isPickup && (
        <Button size="small" variant="outlined" className="no-print" onClick={() => setIsOpen(true)}>
          {trackingNumber ? texts.order.correct : texts.order.addTracking}
        </Button>
      )}
      {may("orders:write") && cancellableUntil !== undefined && Date.now() < Date.parse(cancellableUntil) && (
        <Confirmed
          size="small"
          variant="outlined"
          label={isPickup ? texts.order.notReady : texts.order.cancelShipment}
          question={texts.order.cancelShipmentQuestion}
          done={isPickup ? texts.order.notReadyDone : texts.order.shipmentCancelled}
          run={() => partline.order.adminCancelShipment({ orderId, version, shipmentId })}
        />
      )}
      {isOpen && <ShipmentDialog order={order} shipment={shipment} onClose={() => setIsOpen(false)} />}
    </Stack>
  );
}

function describeArrival({ expectedAt, deliveredAt, failedAt }: AdminShipment): string | undefined {
  if (deliveredAt) return texts.order.describeDelivery(moment(deliveredAt));
  if (failedAt) return texts.order.deliveryFailed;
  return expectedAt && texts.person.describeArrival(formatDay(expectedAt));
}

function Tracking({ carrier, number }: { carrier: string | undefined; number: string }): ReactNode {
  const link = findTrackingLink(carrier, number);
  return (
    <>
      {" · "}
      {link === undefined ? (
        number
      ) : (
        <Link href={link} target="_blank" rel="noreferrer">
          {number}
        </Link>
      )}
    </>
  );
}

function PrintLabel({ url }: { url: string }): ReactNode {
  return (
    <Button size="small" variant="outlined" className="no-print" href={url} target="_blank" rel="noreferrer">
      {texts.order.printLabel}
    </Button>
  );
}

function describeLabel({ state, carrier }: NonNullable<OrderReturn["label"]>): string | undefined {
  if (state === "pending") return texts.order.returnLabelPending;
  return state === "voided" ? texts.order.returnLabelVoided : carrier && nameCarrier(carrier);
}

function Returned({ order, orderReturn }: { order: AdminOrder; orderReturn: OrderReturn }): ReactNode {
  const { orderId } = order;
  const { returnId, received, awaited, receipts, receivedAt, cancelledAt, reason, label } = orderReturn;
  const decision = orderReturn.state;
  const may = useMay();
  const [isOpen, setIsOpen] = useState(false);
  const refresh = useRefresh();
  const isPending = label?.state === "pending";
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setInterval(refresh, PENDING_MS);
    return () => clearInterval(timer);
  }, [isPending]);
  const voidsLabel = label !== undefined && label.state !== "voided" && received.length === 0;
  const state = [
    RETURN_REASONS.find(([value]) => value === reason)?.[1],
    decision && decision !== "cancelled" && texts.order.returnStates[decision],
    receivedAt && texts.order.receivedAt(moment(receivedAt)),
    received.length > 0 &&
      pieces({ items: received }) !== pieces(orderReturn) &&
      texts.order.cameOf(pieces({ items: received })),
    cancelledAt && texts.order.calledOffAt(moment(cancelledAt)),
    awaited.length > 0 && texts.order.expected,
    orderReturn.restockingFee > 0 &&
      receipts.length === 0 &&
      cancelledAt === undefined &&
      texts.order.describeFee(money(orderReturn.restockingFee, order.currency)),
    label && describeLabel(label),
  ];
  return (
    <>
      <Stack direction="row" spacing={1} useFlexGap sx={{ alignItems: "center", flexWrap: "wrap" }}>
        <Typography sx={WORDS}>
          {[pieces(orderReturn), ...state].filter(Boolean).join(" · ")}
          {label?.trackingNumber && <Tracking carrier={label.carrier} number={label.trackingNumber} />}
          {receipts.map((receipt, index) => (
            <Typography key={index} component="span" variant="body2" sx={{ display: "block", color: "text.secondary" }}>
              {describeReceipt(receipt, order.currency)}
            </Typography>
          ))}
        </Typography>
        {label?.url && awaited.length > 0 && <PrintLabel url={label.url} />}
        {may("orders:write") && decision === "requested" && cancelledAt === undefined && (
          <Decision order={order} orderReturn={orderReturn} />
        )}
        {may("orders:refund") && awaited.length > 0 && (
          <Button size="small" variant="outlined" className="no-print" onClick={() => setIsOpen(true)}>
            {texts.order.received}
          </Button>
        )}
        {may("orders:write") && awaited.length > 0 && (
          <Confirmed
            size="small"
            variant="outlined"
            label={texts.order.callOff}
            question={voidsLabel ? texts.order.callOffWithLabel : texts.order.callOffQuestion}
            done={texts.order.calledOff}
            run={() => partline.order.adminCancelReturn({ orderId, returnId })}
          />
        )}
      </Stack>
      <Details order={order} returnId={returnId} />
      {isOpen && <ReceiveDialog order={order} made={orderReturn} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function describeReceipt(
  { items, condition, lines, refunded: amount, restockingFee }: ReturnReceipt,
  currency: string,
): string {
  const nameCondition = (value: string | undefined): string | undefined =>
    RETURN_CONDITIONS.find(([candidate]) => candidate === value)?.[1];
  const came = lines
    ? lines.map((line) => [pieces({ items: [line] }), nameCondition(line.condition)].filter(Boolean).join(", "))
    : [pieces({ items }), nameCondition(condition)];
  return [
    ...came,
    texts.order.describeRefund(money(amount, currency)),
    restockingFee > 0 && texts.order.describeFee(money(restockingFee, currency)),
  ]
    .filter(Boolean)
    .join(" · ");
}

function pieces({ items }: Pick<AdminShipment, "items">): string {
  return items.map(({ partNumber, quantity }) => `${quantity} × ${partNumber}`).join(", ");
}
