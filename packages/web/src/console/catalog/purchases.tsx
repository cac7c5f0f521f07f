import type { Purchase, Shortage } from "@partline/client";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useState, type ReactNode } from "react";
import { Link } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { formatCsvLine } from "@partline/toolkit/pure";
import { OWN_VENDOR } from "../../../../../mixins/shop/shelves.ts";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { Confirmed } from "../shared/confirmed.tsx";
import { download } from "../shared/download.ts";
import { count, formatDay, moment } from "../shared/format.ts";
import { ListSection } from "../shared/listed.tsx";
import { NumberPagination } from "../shared/number-pagination.tsx";
import { Page } from "../shared/page.tsx";
import { Refusal } from "../shared/refusal.tsx";
import { useReading } from "../shared/use-reading.ts";
import { texts } from "../texts.ts";
import { PurchaseDialog, ReceiptDialog } from "./purchase-dialogs.tsx";
import { useShortages } from "./use-shortages.ts";

const { parts, purchases: t } = texts;
const { unknown: notCounted } = parts.availabilities;
const AGAIN_MS = 30_000;
const PAGE_SIZE = 20;

type OpenDialog = { shortages: Shortage[] } | { purchase: Purchase; receives: boolean };

/** Shows what is missing by vendor, what is on order, and the pieces that have come. */
export function PurchasesPage(): ReactNode {
  const mayOrder = useMay()("orders:write");
  const [opened, setOpened] = useState<OpenDialog>();
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const missing = useShortages(cursor);
  const { next } = missing;
  const close = (): void => setOpened(undefined);
  const vendors = [...Map.groupBy(missing.shortages ?? [], ({ vendorName }) => vendorName)];
  return (
    <Page title={texts.menu.purchases}>
      <Refusal error={missing.refusal} />
      {missing.shortages && vendors.length === 0 && !next && <p role="status">{t.nothingMissing}</p>}
      {vendors.map(([vendorName, shortages]) => (
        <ListSection
          key={vendorName}
          title={shortages[0]?.vendor === OWN_VENDOR ? t.missingOwn : t.describeMissing(vendorName)}
          items={shortages}
          columns={[
            [parts.number, ({ id, partNumber }) => <PartLink id={id} partNumber={partNumber} />],
            [parts.title, ({ title, uncounted }) => [title, uncounted && notCounted].filter(Boolean).join(" · ")],
            [t.orders, ({ orders }) => orders.length > 0 && <Orders orders={orders} />],
            [t.backordered, ({ backordered }) => count(backordered)],
            [t.low, ({ low }) => count(low)],
            [t.onOrder, ({ onOrder }) => count(onOrder)],
            [t.missing, (shortage) => count(shortage.missing)],
          ]}
          figuresFrom={3}
        >
          <Stack direction="row" spacing={1} sx={{ mt: 2 }}>
            {mayOrder && shortages[0]?.vendor !== OWN_VENDOR && (
              <Button variant="contained" onClick={() => setOpened({ shortages })}>
                {t.order(vendorName)}
              </Button>
            )}
            <Export name={vendorName} lines={shortages.map((part) => ({ ...part, quantity: part.missing }))} />
          </Stack>
        </ListSection>
      ))}
      {(next || cursor) && (
        <Stack direction="row" spacing={1}>
          <Button disabled={!cursor} onClick={() => setCursors(cursors.slice(0, -1))}>
            {texts.pages.previous}
          </Button>
          <Button disabled={!next} onClick={() => next && setCursors([...cursors, next])}>
            {texts.pages.next}
          </Button>
        </Stack>
      )}
      {(["open", "received", "cancelled"] as const).map((status) => (
        <PurchaseList key={status} status={status} onOpen={setOpened} />
      ))}
      {opened && "shortages" in opened && <PurchaseDialog shortages={opened.shortages} onClose={close} />}
      {opened && "purchase" in opened && opened.receives && (
        <ReceiptDialog purchase={opened.purchase} onClose={close} />
      )}
      {opened && "purchase" in opened && !opened.receives && (
        <PurchaseDialog purchase={opened.purchase} onClose={close} />
      )}
    </Page>
  );
}

interface PurchaseListProps {
  status: Purchase["status"];
  onOpen(opened: OpenDialog): void;
}

/** The purchases of a status, by pages. Those that are closed are left out while there are none. */
function PurchaseList({ status, onOpen }: PurchaseListProps): ReactNode {
  const mayOrder = useMay()("orders:write");
  const [page, setPage] = useState(1);
  const { data, refusal } = useReading(
    ["purchases", status, page],
    (signal) => partline.catalog.purchases({ status, page, pageSize: PAGE_SIZE }, { signal }),
    { everyMs: AGAIN_MS },
  );
  const total = data?.pagination.total ?? 0;
  return (
    <ListSection
      title={t.lists[status]}
      refusal={refusal}
      emptyText={status === "open" ? t.none : undefined}
      items={data?.purchases}
      columns={[
        [t.at, ({ createdAt }) => moment(createdAt)],
        [texts.vendors.vendor, ({ vendorName }) => vendorName],
        [t.parts, ({ lines }) => <Lines lines={lines} />],
        [t.expectedAt, ({ expectedAt }) => expectedAt && formatDay(expectedAt)],
        [t.note, ({ note }) => note],
        [
          texts.rowActions,
          (purchase) => (
            <Stack direction="row" spacing={1} useFlexGap sx={{ alignItems: "center", flexWrap: "wrap" }}>
              {mayOrder && status === "open" && <OpenActions purchase={purchase} onOpen={onOpen} />}
              <Button
                size="small"
                component={RouterLink}
                to={`/purchases/${purchase.purchaseId}`}
                aria-label={t.open(purchase.vendorName)}
              >
                {t.print}
              </Button>
              <Export name={purchase.vendorName} lines={purchase.lines} />
            </Stack>
          ),
        ],
      ]}
    >
      {(page > 1 || total > PAGE_SIZE) && (
        <NumberPagination page={page} pageSize={PAGE_SIZE} total={total} onChange={setPage} />
      )}
    </ListSection>
  );
}

function OpenActions({ purchase, onOpen }: { purchase: Purchase; onOpen(opened: OpenDialog): void }): ReactNode {
  const { purchaseId, vendorName, version } = purchase;
  return (
    <>
      <Button
        size="small"
        variant="outlined"
        aria-label={`${t.receive}: ${vendorName}`}
        onClick={() => onOpen({ purchase, receives: true })}
      >
        {t.receive}
      </Button>
      <Button
        size="small"
        aria-label={`${t.change}: ${vendorName}`}
        onClick={() => onOpen({ purchase, receives: false })}
      >
        {t.change}
      </Button>
      <Confirmed
        size="small"
        label={t.cancel}
        name={vendorName}
        question={t.cancelQuestion}
        done={t.cancelled}
        run={() => partline.catalog.cancelPurchase({ purchaseId, version })}
      />
    </>
  );
}

function PartLink({ id, partNumber }: { id: string; partNumber: string }): ReactNode {
  return <Link to={`/catalog-parts/${encodeURIComponent(id)}/show`}>{partNumber}</Link>;
}

function Orders({ orders }: Pick<Shortage, "orders">): ReactNode {
  return orders.map(({ orderId, orderNumber }) => (
    <Box key={orderId} sx={{ whiteSpace: "nowrap" }}>
      <Link to={`/orders/${encodeURIComponent(orderId)}/show`}>{orderNumber}</Link>
    </Box>
  ));
}

function Lines({ lines }: Pick<Purchase, "lines">): ReactNode {
  return lines.map(({ id, partNumber, quantity, received }) => (
    <div key={id}>
      <PartLink id={id} partNumber={partNumber} />: {t.describeReceived(received, quantity)}
    </div>
  ));
}

/** What a vendor is sent: numbers, titles and pieces, as a file. */
function Export({ name, lines }: { name: string; lines: readonly ExportedLine[] }): ReactNode {
  const rows = lines.map(({ partNumber, title, quantity }) => formatCsvLine([partNumber, title, quantity]));
  const head = formatCsvLine([parts.number, parts.title, t.pieces]);
  return (
    <Button
      size="small"
      aria-label={`${t.download}: ${name}`}
      onClick={() => download(`${name}.csv`, "text/csv", [head, ...rows].join(""))}
    >
      {t.download}
    </Button>
  );
}

type ExportedLine = Pick<Purchase["lines"][number], "partNumber" | "title" | "quantity">;
