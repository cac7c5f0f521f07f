import type { AdminOrder } from "@partline/client";
import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import { Fragment, type ReactNode } from "react";
import {
  BooleanInput,
  DataTable,
  DateInput,
  FilterButton,
  Link,
  SearchInput,
  SelectInput,
  SimpleList,
  TopToolbar,
  type RaRecord,
} from "react-admin";
import { useLocation } from "react-router-dom";
import { CursorPagination } from "../shared/cursor-pagination.tsx";
import { moment, money } from "../shared/format.ts";
import { HiddenHeading } from "../shared/heading.tsx";
import { List } from "../shared/list.tsx";
import { Long } from "../shared/long.tsx";
import { Status } from "../shared/status.tsx";
import { texts } from "../texts.ts";
import { BulkActions } from "./bulk-actions.tsx";
import { findQueue, QueueLinks } from "./queues.tsx";
import { usePickupPlaces } from "./pickup-places.ts";
import { resolveStatus, toDo } from "./pieces.ts";
import { useIsNarrow } from "../shared/use-is-narrow.ts";

type Row = AdminOrder & RaRecord;

const { filters } = texts.orders;
const choices = (...ids: string[]) => ids.map((id) => ({ id, name: texts.statuses[id] ?? id }));

/** A head ends with its word, as its column does with the figure. */
const AMOUNTS = {
  "& .amount": { textAlign: "right" },
  "& .amount .MuiTableSortLabel-root": { flexDirection: "row-reverse" },
};

const FILTERS = [
  <SearchInput
    key="q"
    source="q"
    alwaysOn
    placeholder={texts.orders.search}
    aria-label={texts.orders.search}
    sx={{ minWidth: { sm: "26rem" } }}
  />,
  <SelectInput
    key="lineState"
    source="lineState"
    alwaysOn
    label={filters.lineState}
    choices={choices("unshipped", "open", "backordered", "shipped", "returned", "cancelled")}
  />,
  <SelectInput
    key="status"
    source="status"
    label={filters.status}
    choices={choices("pending", "processing", "shipped", "delivered", "cancelled")}
  />,
  <SelectInput
    key="paymentStatus"
    source="paymentStatus"
    label={filters.paymentStatus}
    choices={choices("pending", "paid", "failed", "refunded", "partially_refunded")}
  />,
  <SelectInput
    key="disputeState"
    source="disputeState"
    label={filters.disputeState}
    choices={(["open", "lost", "inquiry"] as const).map((id) => ({ id, name: texts.statuses[`dispute_${id}`] }))}
  />,
  <BooleanInput key="addressMissing" source="addressMissing" label={filters.addressMissing} defaultValue />,
  <BooleanInput key="shippingUnderpaid" source="shippingUnderpaid" label={filters.shippingUnderpaid} defaultValue />,
  <BooleanInput key="refundDue" source="refundDue" label={filters.refundDue} defaultValue />,
  <DateInput key="from" source="from" label={filters.from} />,
  <DateInput key="to" source="to" label={filters.to} />,
];

const Actions = (): ReactNode => (
  <TopToolbar>
    <FilterButton />
  </TopToolbar>
);

const buyer = ({ contact, shippingAddress, userId }: Row): string =>
  contact?.name ?? shippingAddress?.name ?? contact?.email ?? (userId === "guest" ? texts.orders.guest : userId);

/** Three lines on the screen; paper, from which somebody picks, has all of them. */
const PIECES = {
  ...{ display: "-webkit-box", WebkitBoxOrient: "vertical", WebkitLineClamp: 3, overflow: "hidden" },
  "@media print": { display: "block" },
};

const Pieces = ({ of: { items } }: { of: Row }): ReactNode => (
  <Box component="span" sx={PIECES}>
    {items.map(({ partNumber, quantity }, index) => (
      <Fragment key={index}>
        {index > 0 && ", "}
        <Box component="span" sx={{ whiteSpace: "nowrap" }}>{`${quantity} × ${partNumber}`}</Box>
      </Fragment>
    ))}
  </Box>
);

interface StatesProps {
  row: Row;
  /** Where orders are picked up: the name is said where there are several. */
  places: ReturnType<typeof usePickupPlaces>;
}

const States = ({ row, places }: StatesProps): ReactNode => {
  const { paymentStatus, disputeState, fulfilment, pickupPlace, items, shippingUnderpaid } = row;
  const chosenPlace = places.find(({ id }) => id === pickupPlace);
  const place = chosenPlace && places.length < 2 ? undefined : (chosenPlace?.name ?? pickupPlace);
  const work = toDo({ items });
  return (
    <Stack direction="row" spacing={0.5} useFlexGap sx={{ flexWrap: "wrap" }}>
      {/* The work that is left says more. */}
      {work.length === 0 && <Status state={resolveStatus(row)} />}
      <Status state={paymentStatus} />
      {disputeState !== undefined && <Status state={`dispute_${disputeState}`} />}
      {fulfilment === "pickup" && <Status state="pickup" {...(place && { detail: place })} />}
      {work.map(([state, count]) => (
        <Status key={state} state={row.packed && state === "open" ? "packed" : state} count={count} />
      ))}
      {shippingUnderpaid && <Status state="shippingUnderpaid" />}
    </Stack>
  );
};

/** A row opens by a click; the keyboard needs a link. */
const link = ({ orderId, orderNumber }: Row): ReactNode => (
  <Link to={`/orders/${encodeURIComponent(orderId)}/show`} sx={{ whiteSpace: "nowrap" }}>
    {orderNumber}
  </Link>
);

/** All orders, or one queue. */
export function OrderList(): ReactNode {
  // Its table has the most columns.
  const isNarrow = useIsNarrow("lg");
  const queue = findQueue(useLocation().search);
  const places = usePickupPlaces();
  const states = (row: Row): ReactNode => <States row={row} places={places} />;
  const placeFilter = (
    <SelectInput
      key="pickupPlace"
      source="pickupPlace"
      label={filters.pickupPlace}
      choices={places.flatMap(({ id, name }) => (id === undefined ? [] : [{ id, name }]))}
    />
  );
  return (
    <>
      <HiddenHeading>{queue ? texts.queues[queue] : texts.menu.orders}</HiddenHeading>
      <QueueLinks current={queue} />
      <List
        key={queue}
        {...(queue && { filter: { queue }, storeKey: `orders.${queue}` })}
        filters={places.length > 1 ? [...FILTERS, placeFilter] : FILTERS}
        // A filter may be a buyer's address: it stays out of the page's address.
        disableSyncWithLocation
        // Of a queue the oldest is first.
        sort={{ field: "createdAt", order: queue ? "ASC" : "DESC" }}
        perPage={25}
        actions={<Actions />}
        pagination={<CursorPagination />}
      >
        {isNarrow ? (
          <SimpleList<Row>
            primaryText={(order) => `${order.orderNumber} · ${money(order.total, order.currency)}`}
            secondaryText={(order) => (
              <>
                {`${buyer(order)} · ${moment(order.createdAt)}`}
                <Pieces of={order} />
              </>
            )}
            tertiaryText={states}
            sx={{ "& .RaSimpleList-tertiary": { display: "block", float: "none", my: 0.5, opacity: 1 } }}
            rowClick="show"
          />
        ) : (
          <DataTable<Row> bulkActionButtons={<BulkActions />} rowClick="show" sx={AMOUNTS}>
            <DataTable.Col<Row> label={texts.orders.number} render={link} />
            <DataTable.Col<Row>
              source="createdAt"
              label={texts.orders.created}
              render={({ createdAt }) => moment(createdAt)}
            />
            <DataTable.Col<Row> label={texts.orders.buyer} render={(order) => <Long>{buyer(order)}</Long>} />
            <DataTable.Col<Row> label={texts.orders.pieces} render={(order) => <Pieces of={order} />} />
            <DataTable.Col<Row> label={filters.status} render={states} />
            <DataTable.Col<Row>
              source="total"
              label={texts.orders.total}
              headerClassName="amount"
              cellClassName="amount"
              render={({ total, currency }) => money(total, currency)}
            />
          </DataTable>
        )}
      </List>
    </>
  );
}
