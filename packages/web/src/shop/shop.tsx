import type { ReactNode } from "react";
import type { Shop } from "./context.tsx";
import { ShopProvider } from "./context.tsx";
import type { PageContext } from "./page.ts";
import { definitionOf, type PageName } from "./routes.ts";

/** What the server gives the browser of a page. */
export interface PageData {
  name: PageName;
  context: PageContext;
  data: unknown;
}

/** A page in its shop, the same on the server and in the browser. */
export function ShopPage({ name, data, shop }: { name: PageName; data: unknown; shop: Shop }): ReactNode {
  const { View } = definitionOf(name);
  return (
    <ShopProvider value={shop}>
      <View data={data} />
    </ShopProvider>
  );
}
