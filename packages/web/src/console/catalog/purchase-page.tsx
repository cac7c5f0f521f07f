import Button from "@mui/material/Button";
import type { ReactNode } from "react";
import { useParams } from "react-router-dom";
import { partline } from "../partline.ts";
import { Facts } from "../shared/facts.tsx";
import { FiguresTable } from "../shared/figures-table.tsx";
import { count, formatDay, moment } from "../shared/format.ts";
import { Page } from "../shared/page.tsx";
import { Refusal } from "../shared/refusal.tsx";
import { useReading } from "../shared/use-reading.ts";
import { texts } from "../texts.ts";

const { parts, purchases: t } = texts;

/** A purchase as the vendor gets it on paper. */
export function PurchasePage(): ReactNode {
  const { purchaseId = "" } = useParams();
  const { data: purchase, refusal } = useReading(["purchase", purchaseId], (signal) =>
    partline.catalog.purchase({ purchaseId }, { signal }),
  );
  const { data: shop } = useReading(["shop"], (signal) => partline.settings.shop({}, { signal }));
  if (!purchase || !shop)
    return (
      <Page title={t.purchaseOrder}>
        <Refusal error={refusal} />
      </Page>
    );
  const { vendorName, createdAt, expectedAt, note, lines } = purchase;
  const { shopName, legalName, address, phone, email } = shop;
  return (
    <Page title={`${t.purchaseOrder} · ${vendorName}`}>
      <Facts
        facts={[
          [t.orderedBy, [legalName ?? shopName, ...address, phone, email].filter(Boolean).join("\n")],
          [texts.vendors.vendor, vendorName],
          [t.at, moment(createdAt)],
          [t.expectedAt, expectedAt && formatDay(expectedAt)],
          [t.note, note],
        ]}
      />
      <FiguresTable
        label={t.parts}
        figuresFrom={2}
        head={[parts.number, parts.title, t.pieces]}
        rows={lines.map(({ partNumber, title, quantity }) => [partNumber, title, count(quantity)])}
      />
      <Button className="no-print" variant="contained" sx={{ alignSelf: "start" }} onClick={() => print()}>
        {t.print}
      </Button>
    </Page>
  );
}
