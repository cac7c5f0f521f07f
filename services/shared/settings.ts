import type { ReadShopSettings } from "../../broker/settings.ts";
import type { SettingsReader } from "../../broker/settings/reader.ts";
import { parseMailbox } from "@partline/toolkit";
import { findTimeZone } from "../../mixins/shop/shop-days.ts";
import { resolveShopFacts, type ShopFacts } from "../../mixins/shop/shop-facts.ts";
import { VENDOR_CODES } from "@partline/parts-language";
import { readFields, readShipping } from "./settings/shipping.ts";
import { settingChanges } from "./shop-rules.ts";
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
): object {
  const readZone = (name: string, zone: string | null | undefined): string | undefined => {
    const timeZone = zone == null ? undefined : findTimeZone(zone);
    if (zone != null && timeZone === undefined)
      reader.noteUnusable(name, `has no time zone like America/Chicago: "${zone}"`);
    return timeZone;
  };
  const settings = reader.getJson("SHOP_SETTINGS", (value) => readFields(settingChanges, value), { file: true });
  readZone("SHOP_SETTINGS", settings?.timeZone);
  const timeZone = readZone("SHOP_TIME_ZONE", reader.getText("SHOP_TIME_ZONE"));
  const ownVariables = {
    shopName: reader.getText("SHOP_NAME"),
    address: reader.getList("SHOP_ADDRESS", "|"),
    timeZone,
    mailSender: parseMailbox(reader.getText("MAIL_FROM") ?? ""),
    ...policies,
  };
  const entries = Object.entries(ownVariables).filter(([, value]) => value !== undefined);
  return { ...settings, ...Object.fromEntries(entries) };
}
