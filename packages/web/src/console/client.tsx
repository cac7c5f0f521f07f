import "../shared/base.css";
import "./console.css";
import createCache from "@emotion/cache";
import { CacheProvider } from "@emotion/react";
import { createRoot } from "react-dom/client";
import { setShopTimeZone } from "../../../../mixins/shop/shop-days.ts";
import { pageData, ROOT_ID } from "../shared/hydration.ts";
import { Console } from "./console.tsx";
import { setShipTo } from "./orders/address-lists.ts";
import type { ConsoleData } from "./page-data.ts";

const data = pageData() as ConsoleData | null;
if (data) {
  setShopTimeZone(data.timeZone);
  setShipTo(data.shipTo);
  const cache = createCache({ key: "console", nonce: data.styleNonce, prepend: true });
  createRoot(document.getElementById(ROOT_ID)!).render(
    <CacheProvider value={cache}>
      <Console data={data} />
    </CacheProvider>,
  );
}
