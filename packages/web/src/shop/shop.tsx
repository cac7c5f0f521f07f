import type { ReactNode } from "react";
import type { Shop } from "./context.tsx";
import { ShopProvider } from "./context.tsx";
import type { PageContext, PageDefinition } from "./page.ts";
import type { PageName } from "./routes.ts";

/** What the server gives the browser of a page. */
export interface PageData {
  name: PageName;
  context: PageContext;
  data: unknown;
}

interface ShopPageProps extends Pick<PageDefinition<unknown>, "View"> {
  data: unknown;
  shop: Shop;
}

/** A page in its shop, the same on the server and in the browser. */
export function ShopPage({ View, data, shop }: ShopPageProps): ReactNode {
  return (
    <ShopProvider value={shop}>
      <View data={data} />
    </ShopProvider>
  );
}
