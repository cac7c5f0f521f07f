import type { Order } from "@partline/client";
import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { AccountLayout } from "../account/account-layout.tsx";
import { usePartline } from "../context.tsx";
import { loadPictures, type PicturesById } from "../order/load-pictures.ts";
import { OrderView } from "../order/order-view.tsx";
import { Moved, type PageDefinition } from "../page.ts";

interface OwnOrderData {
  order: Order;
  pictures: PicturesById;
}

/** One of the user's own orders. */
export const ownOrder: PageDefinition<OwnOrderData> = {
  path: "/account/orders/{orderId}",
  load: async (page) => {
    const { partline, params, user, canSignIn, address } = page;
    if (!user && canSignIn) throw new Moved(`/session/sign-in?return=${encodeURIComponent(address)}`, 302);
    const order = await partline.order.get({ orderId: params["orderId"]! });
    return { order, pictures: await loadPictures(page, order) };
  },
  head: ({ order }, { texts }) => ({ title: fill(texts.orderTitle, { number: order.orderNumber }) }),
  View: OwnOrder,
};

function OwnOrder({ data: { order, pictures } }: { data: OwnOrderData }): ReactNode {
  const partline = usePartline();
  const { orderId } = order;
  return (
    <AccountLayout>
      <OrderView
        order={order}
        pictures={pictures}
        invoice={`/api/orders/${encodeURIComponent(orderId)}/invoice.pdf`}
        actions={{
          cancel: () => partline.order.cancel({ orderId }),
          requestReturn: (request) => partline.order.requestReturn({ orderId, ...request }),
          cancelReturn: (returnId) => partline.order.cancelReturn({ orderId, returnId }),
          addPhoto: (returnId, body) => partline.order.addReturnPhoto({ orderId, returnId, body }),
          setAddress: (shippingAddress) => partline.order.setShippingAddress({ orderId, shippingAddress }),
        }}
      />
    </AccountLayout>
  );
}
