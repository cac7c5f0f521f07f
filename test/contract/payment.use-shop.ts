import { afterEach } from "@jest/globals";
import { useStarted } from "../support/use-started.ts";
import { SHOP_MODE, startShop, type Shop, type ShopOptions } from "./payment.shop.ts";

/** One shop of `SHOP_MODE` for all tests of a `describe`; the faults of a test end with it. */
export function useShop(options: ShopOptions = {}): Shop {
  const shop = useStarted(() => startShop({ mode: SHOP_MODE, ...options }));
  afterEach(() => shop.noFaults());
  return shop;
}
