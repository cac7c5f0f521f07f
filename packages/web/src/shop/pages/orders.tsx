import type { OrderList } from "@partline/client";
import type { ReactNode } from "react";
import { useShop } from "../context.tsx";
import { money } from "../../shared/numbers.ts";
import { date } from "../format.ts";
import { Layout } from "../layout.tsx";
import { Reorder } from "../order/reorder.tsx";
import { stateOf } from "../order/order-state.ts";
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
    <Layout>
      <h1>{texts.orders}</h1>
      {data === null ? (
        <>
          <p>{texts.ordersSignIn}</p>
          <p>
            {canSignIn && (
              <a className="button primary" href="/session/sign-in?return=/orders">
                {texts.signIn}
              </a>
            )}{" "}
            <a className="button" href="/orders/find">
              {texts.findOrder}
            </a>
          </p>
        </>
      ) : data.orders.length === 0 ? (
        <p>{texts.ordersNone}</p>
      ) : (
        <List {...data} />
      )}
    </Layout>
  );
}

function List({ orders: list, pagination: { page, totalPages } }: OrderList): ReactNode {
  const shop = useShop();
  const { texts, language } = shop;
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.orderNumber}</th>
            <th scope="col">{texts.placed}</th>
            <th scope="col">{texts.total}</th>
            <th scope="col">{texts.status}</th>
            <th scope="col">
              <span className="hidden">{texts.reorder}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {list.map((order) => (
            <tr key={order.orderId}>
              <td>
                <a href={`/account/orders/${encodeURIComponent(order.orderId)}`}>{order.orderNumber}</a>
              </td>
              <td>{date(order.createdAt, shop)}</td>
              <td className="number">{money(order.total, order.currency, language)}</td>
              <td>{stateOf(order, texts)}</td>
              <td>
                <Reorder items={order.items} number={order.orderNumber} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <PageLinks page={page} pages={totalPages} addressOf={(to) => `/orders?page=${to}`} />
    </>
  );
}
