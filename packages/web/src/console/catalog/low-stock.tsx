import type { Shortage } from "@partline/client";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState, type ReactNode } from "react";
import { Link } from "react-admin";
import { OWN_VENDOR } from "../../../../../mixins/shop/shelves.ts";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { count } from "../shared/format.ts";
import { ListSection } from "../shared/listed.tsx";
import { Page } from "../shared/page.tsx";
import { Refusal } from "../shared/refusal.tsx";
import { useReading } from "../shared/use-reading.ts";
import { texts } from "../texts.ts";
import { PurchaseDialog } from "./purchase-dialogs.tsx";
import { useShortages } from "./use-shortages.ts";

const { parts, purchases, stock } = texts;
const AGAIN_MS = 60_000;

/** The parts to reorder, by vendor: no more is on hand than their reorder point. */
export function LowStockPage(): ReactNode {
  const mayOrder = useMay()("orders:write");
  const [ordered, setOrdered] = useState<Shortage[]>();
  const { shortages, next, refusal: refusalOfShortages } = useShortages();
  const { data, refusal } = useReading(["low-stock"], (signal) => partline.catalog.lowStock({}, { signal }), {
    everyMs: AGAIN_MS,
  });
  const missing = shortages?.filter(({ low }) => low > 0);
  return (
    <Page title={texts.menu.lowStock}>
      <Refusal error={refusal ?? refusalOfShortages} />
      {data?.parts.length === 0 && <p role="status">{stock.noneLow}</p>}
      {[...Map.groupBy(data?.parts ?? [], ({ manufacturer }) => manufacturer.name)].map(([vendorName, lowParts]) => {
        const isOwn = lowParts[0]?.manufacturer.code === OWN_VENDOR;
        const toOrder = isOwn ? undefined : missing?.filter((part) => part.vendorName === vendorName);
        return (
          <ListSection
            key={vendorName}
            title={isOwn ? purchases.missingOwn : `${stock.toReorder}: ${vendorName}`}
            items={lowParts}
            columns={[
              [
                parts.number,
                ({ id, partNumber }) => <Link to={`/catalog-parts/${encodeURIComponent(id)}/show`}>{partNumber}</Link>,
              ],
              [parts.title, ({ title }) => title],
              [stock.place, ({ place }) => place],
              [stock.bin, ({ bin }) => bin],
              [stock.onHand, ({ onHand }) => count(onHand)],
              [stock.reorderPoint, ({ reorderPoint }) => count(reorderPoint)],
            ]}
            figuresFrom={4}
          >
            {mayOrder && toOrder && toOrder.length > 0 && (
              <Button variant="contained" sx={{ mt: 2 }} onClick={() => setOrdered(toOrder)}>
                {purchases.order(vendorName)}
              </Button>
            )}
            {mayOrder && !next && toOrder?.length === 0 && (
              <Typography sx={{ mt: 2, color: "text.secondary" }}>{stock.allOrdered}</Typography>
            )}
          </ListSection>
        );
      })}
      {ordered && <PurchaseDialog shortages={ordered} onClose={() => setOrdered(undefined)} />}
    </Page>
  );
}
