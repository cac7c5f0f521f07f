import type { ReactNode } from "react";
import { useShop } from "../context.tsx";
import { Layout } from "../layout.tsx";
import { FindOrderForm } from "../order/find-order-form.tsx";
import type { PageDefinition } from "../page.ts";

/** For a buyer whose mail is gone. */
export const findOrder: PageDefinition<null> = {
  path: "/orders/find",
  load: () => Promise.resolve(null),
  head: (_, { texts }) => ({ title: texts.findOrder }),
  View: FindOrder,
};

function FindOrder(): ReactNode {
  const { texts, user, canSignIn } = useShop();
  return (
    <Layout>
      <div className="card page-card find-order">
        <h1>{texts.findOrder}</h1>
        <p>{texts.findOrderText}</p>
        <FindOrderForm />
        {canSignIn && !user && (
          <p>
            <a href="/session/sign-in?return=/orders">{texts.signIn}</a>
          </p>
        )}
      </div>
    </Layout>
  );
}
