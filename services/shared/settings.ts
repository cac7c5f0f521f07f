import type { ReadShopSettings, ShopSettings } from "../../broker/settings.ts";
import type { SettingsReader } from "../../broker/settings/reader.ts";
import { findTimeZone } from "../../mixins/shop/shop-days.ts";
import { resolveShopFacts, type ShopFacts } from "../../mixins/shop/shop-facts.ts";
import { VENDOR_CODES } from "@partline/parts-language";
import { readShipping } from "./settings/shipping.ts";
import { readStock } from "./settings/stock.ts";
import { type DeclaredSupplier, readSuppliers } from "./settings/suppliers.ts";

declare module "../../broker/settings.ts" {
  interface ShopSettings {
    /** Suppliers whose listings are synced, by vendor code. */
    suppliers: ReturnType<typeof readSuppliers>;
    /** Policy for pieces beyond the stock. */
    stock: ReturnType<typeof readStock>;
    shipping: ReturnType<typeof readShipping>;
  }
}

/** Returns the reader of a shop's settings with these suppliers, for `loadSettings`. */
export function readShopSettings(suppliers: readonly DeclaredSupplier[]): ReadShopSettings {
  return (reader, { production, sandboxPort, sandboxUrl }) => ({
    ...readShopFacts(reader),
    suppliers: readSuppliers(reader, suppliers, { production, sandboxPort }),
    stock: readStock(reader, [...Object.values(VENDOR_CODES).flat(), ...suppliers.map(({ code }) => code)]),
    shipping: readShipping(reader, { production, sandboxUrl: sandboxUrl("easypost") }),
  });
}

function readShopFacts(reader: SettingsReader): Pick<ShopSettings, "shop" | "pins"> {
  const [shopName, address] = [reader.getText("SHOP_NAME"), reader.getList("SHOP_ADDRESS", "|")];
  const zoneName = reader.getText("SHOP_TIME_ZONE");
  const timeZone = zoneName === undefined ? undefined : findTimeZone(zoneName);
  if (zoneName !== undefined && timeZone === undefined)
    reader.noteUnusable("SHOP_TIME_ZONE", "is not a time zone like America/Chicago");
  const pins: Partial<ShopFacts> = {
    ...(shopName !== undefined && { shopName }),
    ...(address && { address }),
    ...(timeZone !== undefined && { timeZone }),
  };
  return { pins, shop: resolveShopFacts({}, pins) };
}
