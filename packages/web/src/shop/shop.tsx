import { useEffect, type ReactNode } from "react";
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
  useEffect(repeatEarlyChoices, []);
  return (
    <ShopProvider value={shop}>
      <View data={data} />
    </ShopProvider>
  );
}

/**
 * Repeats the choices that a person made before the script arrived, so that they take effect. A field that differs from
 * what the server wrote was changed by hand only where `autocomplete` forbids the browser to restore it.
 */
function repeatEarlyChoices(): void {
  for (const box of document.querySelectorAll<HTMLInputElement>("[type=checkbox][autocomplete=off]")) {
    if (box.checked === box.defaultChecked) continue;
    box.checked = box.defaultChecked;
    box.click();
  }
  for (const select of document.querySelectorAll<HTMLSelectElement>("select[autocomplete=off]")) {
    if ([...select.selectedOptions].every((option) => option.defaultSelected)) continue;
    select.dispatchEvent(new Event("change", { bubbles: true }));
  }
}
