import type { ReactNode } from "react";
import { useShop } from "../context.tsx";
import { Layout } from "../layout.tsx";
import type { PageDefinition } from "../page.ts";

/** The page to which the payment page sends a shopper who has left it. */
export const cancel: PageDefinition<null> = {
  path: "/checkout/cancel",
  load: () => Promise.resolve(null),
  head: (_, { texts }) => ({ title: texts.cancelTitle }),
  View: Cancel,
};

function Cancel(): ReactNode {
  const { texts } = useShop();
  return (
    <Layout>
      <h1>{texts.cancelTitle}</h1>
      <p>{texts.cancelText}</p>
      <p>
        <a href="/cart" className="button primary">
          {texts.toCart}
        </a>
      </p>
    </Layout>
  );
}
