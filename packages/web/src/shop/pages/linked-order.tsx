import type { LinkedOrder as Linked } from "@partline/client";
import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { usePartline } from "../context.tsx";
import { Layout } from "../layout.tsx";
import { loadPictures, type PicturesById } from "../order/load-pictures.ts";
import { OrderView } from "../order/order-view.tsx";
import type { PageDefinition } from "../page.ts";

interface LinkedOrderData {
  token: string;
  order: Linked;
  pictures: PicturesById;
}

/** The order of a link in a mail. */
export const linkedOrder: PageDefinition<LinkedOrderData> = {
  path: "/orders/{token}",
  missing: "order-link-gone",
  load: async (page) => {
    const token = page.params["token"]!;
    const order = await page.partline.order.byLink({ token });
    return { token, order, pictures: await loadPictures(page, order) };
  },
  head: ({ order }, { texts }) => ({ title: fill(texts.orderTitle, { number: order.orderNumber }) }),
  View: LinkedOrder,
};

function LinkedOrder({ data: { token, order, pictures } }: { data: LinkedOrderData }): ReactNode {
  const partline = usePartline();
  return (
    <Layout>
      <OrderView
        order={order}
        pictures={pictures}
        invoice={`/api/orders/by-link/${encodeURIComponent(token)}/invoice.pdf`}
        onAskForLink={order.readOnly ? () => partline.order.sendLink({ token }) : undefined}
        actions={{
          cancel: () => partline.order.cancelByLink({ token }),
          requestReturn: (request) => partline.order.requestReturnByLink({ token, ...request }),
          cancelReturn: (returnId) => partline.order.cancelReturnByLink({ token, returnId }),
          addPhoto: (returnId, body) => partline.order.addReturnPhotoByLink({ token, returnId, body }),
          setAddress: (shippingAddress) => partline.order.setAddressByLink({ token, shippingAddress }),
        }}
      />
    </Layout>
  );
}
