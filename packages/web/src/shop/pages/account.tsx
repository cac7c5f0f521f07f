import { isPartlineError, type CustomerWithCards, type Order, type User } from "@partline/client";
import type { ReactNode } from "react";
import { Addresses } from "../account/addresses.tsx";
import { Cards } from "../account/cards.tsx";
import { Machines } from "../account/machines.tsx";
import { PersonalData } from "../account/personal-data.tsx";
import { useShop } from "../context.tsx";
import { date } from "../format.ts";
import { Layout } from "../layout.tsx";
import { describeReturn, stateOf } from "../order/order-state.ts";
import { Moved, NotHere, type PageDefinition } from "../page.ts";

interface AccountData {
  profile: User;
  /** The latest. */
  orders: Order[];
  /** Undefined if the payment provider does not answer now. */
  customer?: CustomerWithCards["customer"];
}

const LATEST = 20;
const SHOWN = 5;

/** What a signed-in person has here. */
export const account: PageDefinition<AccountData> = {
  path: "/account",
  load: async ({ partline, user, canSignIn, address }) => {
    if (!user)
      throw canSignIn ? new Moved(`/session/sign-in?return=${encodeURIComponent(address)}`, 302) : new NotHere();
    const [profile, { orders }, cards] = await Promise.all([
      partline.user.me({}),
      partline.order.listForUser({ userId: user.id, page: 1, pageSize: LATEST }),
      partline.customer.mine({}).catch((error: unknown) => {
        if (isPartlineError(error, "PROVIDER_ERROR", "TIMEOUT", "SERVICE_UNAVAILABLE")) return undefined;
        throw error;
      }),
    ]);
    return { profile, orders, ...(cards && { customer: cards.customer }) };
  },
  head: (_, { texts }) => ({ title: texts.account }),
  View: Account,
};

function Account({ data: { profile, orders, customer } }: { data: AccountData }): ReactNode {
  const { texts } = useShop();
  const { userId, email, name, addresses, machines } = profile;
  return (
    <Layout>
      <h1>{texts.account}</h1>
      <p>{[name, email].filter(Boolean).join(" · ")}</p>
      <LatestOrders orders={orders} />
      <LatestReturns orders={orders} />
      <Addresses addresses={addresses} />
      <Machines machines={machines} />
      <Cards customer={customer} />
      <PersonalData userId={userId} />
    </Layout>
  );
}

const toAddress = ({ orderId }: Order): string => `/account/orders/${encodeURIComponent(orderId)}`;

function LatestOrders({ orders }: { orders: readonly Order[] }): ReactNode {
  const shop = useShop();
  const { texts } = shop;
  return (
    <section>
      <h2>{texts.orders}</h2>
      {orders.length === 0 && <p>{texts.ordersNone}</p>}
      <ul className="lines">
        {orders.slice(0, SHOWN).map((order) => (
          <li key={order.orderId}>
            <a href={toAddress(order)}>{order.orderNumber}</a>
            <div className="soft">
              {date(order.createdAt, shop)} · {stateOf(order, texts)}
            </div>
          </li>
        ))}
      </ul>
      {orders.length > 0 && (
        <p>
          <a href="/orders">{texts.ordersAll}</a>
        </p>
      )}
    </section>
  );
}

function LatestReturns({ orders }: { orders: readonly Order[] }): ReactNode {
  const shop = useShop();
  const { texts } = shop;
  const returns = orders.flatMap((order) => (order.returns ?? []).map((orderReturn) => ({ order, orderReturn })));
  return (
    <section>
      <h2>{texts.returns}</h2>
      {returns.length === 0 && <p>{texts.returnsNone}</p>}
      <ul className="lines">
        {returns.map(({ order, orderReturn }) => (
          <li key={orderReturn.returnId}>
            <a href={toAddress(order)}>{order.orderNumber}</a>
            <div className="soft">
              {date(orderReturn.createdAt, shop)} · {describeReturn(orderReturn, texts)}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
