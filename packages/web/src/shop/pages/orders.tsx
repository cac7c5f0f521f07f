import type { OrderList } from "@partline/client";
import type { ReactNode } from "react";
import { AccountLayout } from "../account/account-layout.tsx";
import { useShop } from "../context.tsx";
import { money } from "../../shared/numbers.ts";
import { date } from "../format.ts";
import { ButtonLink } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { LIST } from "../kit/icons/ui.ts";
import { Reorder } from "../order/reorder.tsx";
import { describeState } from "../order/order-state.ts";
import type { PageDefinition } from "../page.ts";
import { PageLinks, pageIn, withinPages } from "../parts/page-links.tsx";

/** null: nobody is signed in. */
type OrdersData = OrderList | null;

export const orders: PageDefinition<OrdersData> = {
  path: "/orders",
  load: async ({ partline, user, query, address }) => {
    if (!user) return null;
    return withinPages(
      await partline.order.listForUser({ userId: user.id, page: pageIn(query), pageSize: 20 }),
      address,
    );
  },
  head: (_, { texts }) => ({ title: texts.orders }),
  View: Orders,
};

function Orders({ data }: { data: OrdersData }): ReactNode {
  const { texts, canSignIn } = useShop();
  return (
    <AccountLayout>
      {data === null ? (
        <div className="card page-card find-order">
          <h1>{texts.orders}</h1>
          <p>{texts.ordersSignIn}</p>
          <p className="actions">
            {canSignIn && (
              <ButtonLink kind="primary" href="/session/sign-in?return=/orders">
                {texts.signIn}
              </ButtonLink>
            )}
            <ButtonLink href="/orders/find">{texts.findOrder}</ButtonLink>
          </p>
        </div>
      ) : (
        <>
          <h1>{texts.orders}</h1>
          {data.orders.length === 0 ? (
            <EmptyState icon={LIST} heading={texts.ordersNone}>
              <ButtonLink href="/">{texts.home}</ButtonLink>
            </EmptyState>
          ) : (
            <List {...data} />
          )}
        </>
      )}
    </AccountLayout>
  );
}

function List({ orders: list, pagination: { page, totalPages } }: OrderList): ReactNode {
  const shop = useShop();
  const { texts, language } = shop;
  return (
    <div>
      <ul className="rows">
        {list.map((order) => (
          <li key={order.orderId} className="card order-row">
            <div>
              <h2>
                <a href={`/account/orders/${encodeURIComponent(order.orderId)}`}>{order.orderNumber}</a>
              </h2>
              <p className="soft small">{date(order.createdAt, shop)}</p>
              <p className="small">{order.items.map(({ quantity, name }) => `${quantity} × ${name}`).join(", ")}</p>
            </div>
            <p>{describeState(order, texts)}</p>
            <div className="order-row-end">
              <strong className="price">{money(order.total, order.currency, language)}</strong>
              <Reorder items={order.items} number={order.orderNumber} />
            </div>
          </li>
        ))}
      </ul>
      <PageLinks page={page} pages={totalPages} addressOf={(to) => `/orders?page=${to}`} />
    </div>
  );
}
