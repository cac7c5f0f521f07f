import type { User } from "@partline/client";
import Button from "@mui/material/Button";
import { useState, type ReactNode } from "react";
import { Link, useRecordContext } from "react-admin";
import { moment, money } from "../shared/format.ts";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { resolveStatus } from "../orders/pieces.ts";
import { NumberPagination } from "../shared/number-pagination.tsx";
import { Facts } from "../shared/facts.tsx";
import { Section } from "../shared/section.tsx";
import { Page } from "../shared/page.tsx";
import { ListSection } from "../shared/listed.tsx";
import { Status } from "../shared/status.tsx";
import { useReading } from "../shared/use-reading.ts";
import { Whole } from "../shared/whole.tsx";
import { texts } from "../texts.ts";

const { people } = texts;
const PAGE_SIZE = 10;

export function UserShow(): ReactNode {
  return (
    <Whole title={false}>
      <Person />
    </Whole>
  );
}

function Person(): ReactNode {
  const user = useRecordContext<User & { id: string }>();
  const may = useMay();
  if (!user) return null;
  const { userId, name, email, phone, role, addresses, createdAt } = user;
  return (
    <Page title={name ?? email ?? userId}>
      <Section title={people.profile}>
        <Facts
          facts={[
            [people.id, userId],
            [people.email, email ?? undefined],
            [people.phone, phone ?? undefined],
            [people.role, role],
            [people.since, createdAt ? moment(createdAt) : undefined],
            ...addresses.map((address, index) => [people.address(index + 1), addressLines(address)] as const),
          ]}
        />
      </Section>
      {may("orders:read") && <Orders userId={userId} />}
      <Section title={people.data}>
        <p>{people.erasedWithAccount}</p>
        <Button variant="outlined" href={`/api/users/${encodeURIComponent(userId)}/export`} download={`${userId}.json`}>
          {people.export}
        </Button>
      </Section>
    </Page>
  );
}

function addressLines({ name, street, city, state, postalCode, country }: User["addresses"][number]): string {
  return [name, street, [city, state, postalCode].filter(Boolean).join(" "), country].filter(Boolean).join("\n");
}

function Orders({ userId }: { userId: string }): ReactNode {
  const [page, setPage] = useState(1);
  const { data, refusal } = useReading(["user-orders", userId, page], (signal) =>
    partline.order.listForUser({ userId, page, pageSize: PAGE_SIZE }, { signal }),
  );
  return (
    <ListSection
      title={texts.menu.orders}
      refusal={refusal}
      emptyText={people.noOrder}
      items={data?.orders}
      columns={[
        [
          texts.orders.number,
          ({ orderId, orderNumber }) => <Link to={`/orders/${encodeURIComponent(orderId)}/show`}>{orderNumber}</Link>,
        ],
        [texts.orders.created, ({ createdAt }) => moment(createdAt)],
        [texts.orders.filters.status, (order) => <Status state={resolveStatus(order)} />],
        [texts.orders.filters.paymentStatus, ({ paymentStatus }) => <Status state={paymentStatus} />],
        [texts.orders.total, ({ total: amount, currency }) => money(amount, currency)],
      ]}
    >
      <NumberPagination page={page} pageSize={PAGE_SIZE} total={data?.pagination.total} onChange={setPage} />
    </ListSection>
  );
}
