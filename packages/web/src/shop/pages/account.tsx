import { isPartlineError, type CustomerWithCards, type Order, type User } from "@partline/client";
import type { ReactNode } from "react";
import { money } from "../../shared/numbers.ts";
import { AccountLayout } from "../account/account-layout.tsx";
import { Addresses } from "../account/addresses.tsx";
import { Cards } from "../account/cards.tsx";
import { Machines } from "../account/machines.tsx";
import { PersonalData } from "../account/personal-data.tsx";
import { SECTIONS } from "../account/sections.ts";
import { useShop } from "../context.tsx";
import { date } from "../format.ts";
import { ButtonLink } from "../kit/button.tsx";
import { Card } from "../kit/card.tsx";
import { describeReturn, describeState } from "../order/order-state.ts";
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
    <AccountLayout>
      <div>
        <h1>{texts.account}</h1>
        <p className="soft">{[name, email].filter(Boolean).join(" · ")}</p>
      </div>
      <LatestOrders orders={orders} />
      <Machines machines={machines} />
      <Addresses addresses={addresses} />
      <Cards customer={customer} />
      <LatestReturns orders={orders} />
      <PersonalData userId={userId} />
    </AccountLayout>
  );
}

const toAddress = ({ orderId }: Order): string => `/account/orders/${encodeURIComponent(orderId)}`;

function LatestOrders({ orders }: { orders: readonly Order[] }): ReactNode {
  const shop = useShop();
  const { texts, language } = shop;
  return (
    <Card heading={texts.orders}>
      {orders.length === 0 && <p>{texts.ordersNone}</p>}
      <ul className="lines">
        {orders.slice(0, SHOWN).map((order) => (
          <li key={order.orderId} className="kept">
            <span>
              <a href={toAddress(order)}>{order.orderNumber}</a>
              <span className="soft small">
                {date(order.createdAt, shop)} · {describeState(order, texts)}
              </span>
            </span>
            <strong className="number">{money(order.total, order.currency, language)}</strong>
          </li>
        ))}
      </ul>
      {orders.length > 0 && (
        <p>
          <ButtonLink href="/orders" size="compact">
            {texts.ordersAll}
          </ButtonLink>
        </p>
      )}
    </Card>
  );
}

function LatestReturns({ orders }: { orders: readonly Order[] }): ReactNode {
  const shop = useShop();
  const { texts } = shop;
  const returns = orders.flatMap((order) => (order.returns ?? []).map((orderReturn) => ({ order, orderReturn })));
  return (
    <Card heading={texts.returns} id={SECTIONS.returns}>
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
    </Card>
  );
}
