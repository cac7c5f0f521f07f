import type { AdminOrder } from "@partline/client";
import Alert from "@mui/material/Alert";
import type { ReactNode } from "react";
import { findRefusedLabels } from "../../../../../mixins/shop/refused-labels.ts";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { Confirmed } from "../shared/confirmed.tsx";
import { money } from "../shared/format.ts";
import { texts } from "../texts.ts";

const t = texts.order;

/** The labels whose money EasyPost did not give back, until somebody has seen to it and removes the note. */
export function RefusedLabels({ order }: { order: AdminOrder }): ReactNode {
  const { orderId } = order;
  const mayChange = useMay()("orders:write");
  return findRefusedLabels(order).map(({ label: { parcelId, carrier, cost }, noteId }) => (
    <Alert
      key={parcelId}
      severity="warning"
      action={
        mayChange && (
          <Confirmed
            size="small"
            color="inherit"
            label={t.labelSettled}
            question={t.labelSettledQuestion}
            done={t.noteRemoved}
            run={() => partline.order.adminRemoveNote({ orderId, noteId })}
          />
        )
      }
    >
      {t.describeRefusedLabel(money(Number(cost), "usd"), carrier, parcelId)}
    </Alert>
  ));
}
