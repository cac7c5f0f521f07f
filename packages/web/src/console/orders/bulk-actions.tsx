import type { AdminOrder } from "@partline/client";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useState, type ReactNode } from "react";
import { useListContext, type RaRecord } from "react-admin";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { Facts } from "../shared/facts.tsx";
import { Refusal } from "../shared/refusal.tsx";
import { refusalText } from "../shared/refusal-text.ts";
import { useAction } from "../shared/use-action.ts";
import { texts } from "../texts.ts";

const t = texts.bulk;
const MOST = 100;

type Refusals = Awaited<ReturnType<typeof partline.order.adminMarkPacked>>["refused"];

/** Shows what can be done to several orders at once; those that refuse are named, each with its reason. */
export function BulkActions(): ReactNode {
  const { selectedIds, data = [], onUnselectItems } = useListContext<AdminOrder & RaRecord>();
  const [refusals, setRefusals] = useState<Refusals>([]);
  const { act, refusal, isBusy } = useAction(undefined);
  const may = useMay();
  const orderIds = selectedIds.map(String);
  if (orderIds.length > MOST) return <Refusal error={t.describeLimit(MOST)} />;
  const query = encodeURIComponent(orderIds.join(","));
  const nameOrder = (orderId: string): string =>
    data.find((order) => order.orderId === orderId)?.orderNumber ?? orderId;
  const markPacked = (): void =>
    act(async () => {
      const { refused } = await partline.order.adminMarkPacked({ orderIds });
      setRefusals(refused);
      onUnselectItems();
    });
  return (
    <>
      <Button size="small" href={`/api/admin/orders/packing-slips.pdf?orderIds=${query}`} target="_blank">
        {t.slips}
      </Button>
      {may("orders:write") && (
        <Button size="small" disabled={isBusy} onClick={markPacked}>
          {t.pack}
        </Button>
      )}
      <Button size="small" href={`/api/admin/export/orders?format=csv&orderIds=${query}`}>
        {t.exportCsv}
      </Button>
      <Refusal error={refusal} />
      <Dialog open={refusals.length > 0} onClose={() => setRefusals([])} aria-labelledby="bulk-refusals">
        <DialogTitle id="bulk-refusals">{t.notPacked}</DialogTitle>
        <DialogContent>
          <Facts
            facts={refusals.map(({ orderId, code, message }) => [nameOrder(orderId), refusalText(code, message)])}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={() => setRefusals([])}>{texts.actions.close}</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
