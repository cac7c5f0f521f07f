import type { ReadShopSettings } from "../../broker/settings.ts";
import type { SettingsReader } from "../../broker/settings/reader.ts";
import { parseMailbox } from "../../mixins/shop/email-address.ts";
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
    shipping: Omit<ReturnType<typeof readShipping>, "table">;
  }
}

/** Returns the reader of a shop's settings with these suppliers, for `loadSettings`. */
export function readShopSettings(suppliers: readonly DeclaredSupplier[]): ReadShopSettings {
  return (reader, { production, sandboxPort, sandboxUrl }) => {
    const vendors = [...Object.values(VENDOR_CODES).flat(), ...suppliers.map(({ code }) => code)];
    const { table, ...shipping } = readShipping(reader, { production, sandboxUrl: sandboxUrl("easypost") });
    const pins = readPins(reader, { stockPolicy: readStock(reader, vendors), shippingTable: table });
    return {
      pins,
      shop: resolveShopFacts({}, pins),
      suppliers: readSuppliers(reader, suppliers, { production, sandboxPort }),
      shipping,
    };
  };
}

function readPins(
  reader: SettingsReader,
  policies: { [Name in "stockPolicy" | "shippingTable"]?: ShopFacts[Name] | undefined },
): Partial<ShopFacts> {
  const zoneName = reader.getText("SHOP_TIME_ZONE");
  const timeZone = zoneName === undefined ? undefined : findTimeZone(zoneName);
  if (zoneName !== undefined && timeZone === undefined)
    reader.noteUnusable("SHOP_TIME_ZONE", "is not a time zone like America/Chicago");
  const facts = {
    shopName: reader.getText("SHOP_NAME"),
    address: reader.getList("SHOP_ADDRESS", "|"),
    timeZone,
    mailSender: parseMailbox(reader.getText("MAIL_FROM") ?? ""),
    ...policies,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
