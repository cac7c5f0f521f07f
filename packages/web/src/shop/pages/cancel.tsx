import type { ReactNode } from "react";
import { useShop } from "../context.tsx";
import { ButtonLink } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { CART } from "../kit/icons/ui.ts";
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
      <EmptyState icon={CART} heading={texts.cancelTitle} level={1}>
        <p>{texts.cancelText}</p>
        <ButtonLink href="/cart" kind="primary">
          {texts.toCart}
        </ButtonLink>
      </EmptyState>
    </Layout>
  );
}
