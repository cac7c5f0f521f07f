import type { ReactNode } from "react";
import { Link } from "react-admin";
import { partline } from "../partline.ts";
import { count } from "../shared/format.ts";
import { ListSection } from "../shared/listed.tsx";
import { Page } from "../shared/page.tsx";
import { useReading } from "../shared/use-reading.ts";
import { texts } from "../texts.ts";

const { parts, stock, vendors } = texts;
const AGAIN_MS = 60_000;

/** The parts to reorder: no more is on hand than their reorder point. */
export function LowStockPage(): ReactNode {
  const { data, refusal } = useReading(["low-stock"], (signal) => partline.catalog.lowStock({}, { signal }), {
    everyMs: AGAIN_MS,
  });
  return (
    <Page title={texts.menu.lowStock}>
      <ListSection
        title={stock.toReorder}
        refusal={refusal}
        emptyText={stock.noneLow}
        items={data?.parts}
        columns={[
          [
            parts.number,
            ({ id, partNumber }) => <Link to={`/catalog-parts/${encodeURIComponent(id)}/show`}>{partNumber}</Link>,
          ],
          [parts.title, ({ title }) => title],
          [vendors.vendor, ({ manufacturer }) => manufacturer.name],
          [stock.place, ({ place }) => place],
          [stock.bin, ({ bin }) => bin],
          [stock.onHand, ({ onHand }) => count(onHand)],
          [stock.reorderPoint, ({ reorderPoint }) => count(reorderPoint)],
        ]}
      />
    </Page>
  );
}
