import type { AdminOrder } from "@partline/client";
import Alert from "@mui/material/Alert";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { useRecordContext, type RaRecord } from "react-admin";
import { moment, money } from "../shared/format.ts";
import { WindowTitle } from "../shared/heading.tsx";
import { Status } from "../shared/status.tsx";
import { Whole } from "../shared/whole.tsx";
import { texts } from "../texts.ts";
import { OrderActions } from "./actions.tsx";
import { DisputeBanner } from "./disputes.tsx";
import { Lines } from "./lines.tsx";
import { Money } from "./money.tsx";
import { Movements } from "./movements.tsx";
import { Notes } from "./notes.tsx";
import { Person } from "./person.tsx";
import { RefusedLabels } from "./refused-labels.tsx";
import { resolveStatus } from "./pieces.ts";
import { Timeline } from "./timeline.tsx";

export function OrderShow(): ReactNode {
  return (
    <Whole>
      <OrderPage />
    </Whole>
  );
}

function OrderPage(): ReactNode {
  const order = useRecordContext<AdminOrder & RaRecord>();
  if (!order) return null;
  const { orderNumber, fulfilment, paymentStatus, createdAt, currency, total, refundDue, shippingUnderpaid } = order;
  return (
    <Stack spacing={2} sx={{ mt: 1 }}>
      <Stack direction="row" spacing={1} useFlexGap sx={{ alignItems: "center", flexWrap: "wrap" }}>
        <WindowTitle>{orderNumber}</WindowTitle>
        <Typography component="h1" variant="h5">
          {orderNumber}
        </Typography>
        <Status state={resolveStatus(order)} />
        <Status state={paymentStatus} />
        {fulfilment === "pickup" && <Status state="pickup" />}
        {order.packed && <Status state="packed" />}
        <Typography>{`${money(total, currency)} · ${moment(createdAt)}`}</Typography>
      </Stack>
      <DisputeBanner order={order} />
      <RefusedLabels order={order} />
      <OrderActions order={order} />
      {order.addressMissing && <Alert severity="warning">{texts.order.noAddress}</Alert>}
      {shippingUnderpaid && (
        <Alert severity="warning">
          {texts.order.underpaid(
            shippingUnderpaid.paidFor,
            shippingUnderpaid.goesTo,
            shippingUnderpaid.amount === undefined ? undefined : money(shippingUnderpaid.amount, currency),
          )}
        </Alert>
      )}
      {refundDue !== undefined && <Alert severity="warning">{texts.order.refundDue(money(refundDue, currency))}</Alert>}
      <Stack direction={{ xs: "column", lg: "row" }} spacing={2}>
        <Stack spacing={2} sx={{ flex: 3, minWidth: 0 }}>
          <Lines order={order} />
          <Money order={order} />
          <Movements order={order} />
        </Stack>
        <Stack spacing={2} sx={{ flex: 2, minWidth: 0 }}>
          <Person order={order} />
          <Notes order={order} />
          <Timeline order={order} />
        </Stack>
      </Stack>
    </Stack>
  );
}
