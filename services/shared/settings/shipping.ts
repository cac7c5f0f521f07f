import { PAGE_COUNTRIES } from "../../../mixins/payment-provider/page-countries.ts";
import { listMissingFields, type PostalAddress } from "@partline/toolkit/pure";
import { findFlaws, type ShippingTable } from "../../../mixins/shipping-rates/table.ts";
import { shippingAddressRule } from "../commerce.ts";
import { amountRule, rateFields, shippingTableFields } from "../shipping-table-rules.ts";
import { array, createReader, type InferRules, object, type Rules, rules } from "@partline/api-contracts";
import type { SettingsReader } from "../../../broker/settings/reader.ts";

export interface ShippingRate {
  provider: string;
  serviceType: string;
  /** Decimal currency units. */
  cost: number;
  estimatedDays: number;
}

/** Address from which the sandbox of EasyPost ships. */
const SANDBOX_ORIGIN = {
  name: "Partline",
  street: "1 Depot Rd",
  city: "Memphis",
  state: "TN",
  postalCode: "38118",
  country: "US",
};
const SANDBOX_KEY = "EZTK_partline_sandbox";
const SANDBOX_WEBHOOK_SECRET = "partline-sandbox-easypost";
const EASYPOST_API = "https://api.easypost.com/v2";

export function readShipping(
  reader: SettingsReader,
  { production, sandboxUrl }: { production: boolean; sandboxUrl: string },
) {
  const shipTo = reader.getCountries("SHIP_TO") ?? ["US", "CA"];
  for (const country of shipTo.filter((code) => !PAGE_COUNTRIES.has(code)))
    reader.noteUnusable("SHIP_TO", `has "${country}": the payment provider's page collects no addresses there`);
  const rates: ShippingRate[] | undefined = reader.getJson(
    "SHIPPING_RATES",
    (list) => readFields(rules({ rates: array(object({ ...rateFields, cost: amountRule })) }), { rates: list }).rates,
  );
  const table: ShippingTable | undefined = reader.getJson(
    "SHIPPING_TABLE",
    (table) => readFields(shippingTableFields, table),
    {
      file: true,
    },
  );
  for (const { field, why } of table ? findFlaws(table, shipTo) : [])
    reader.noteUnusable("SHIPPING_TABLE", `cannot be used. The '${field}' field ${why}.`);
  const from = reader.getJson("SHIP_FROM", parseOrigin);
  const easyPost = readEasyPost(reader, { production, sandboxUrl, from });
  return {
    /** Countries that are shipped to, ISO 3166. */
    shipTo,
    /** Rates that a checkout may name besides those that are offered. */
    rates,
    /** The environment's own. */
    table,
    from: from ?? easyPost?.from,
    /** Rates come from EasyPost in place of the table. */
    easyPost,
    /** True if shipping needs an offered rate, even without a table of the shop's own. */
    isEnforced: production || rates !== undefined || easyPost !== undefined,
  };
}

function readEasyPost(
  reader: SettingsReader,
  { production, sandboxUrl, from }: { production: boolean; sandboxUrl: string; from: PostalAddress | undefined },
) {
  const isSandbox = reader.getText("EASYPOST_API_BASE") === "sandbox";
  if (isSandbox && production)
    reader.noteUnusable("EASYPOST_API_BASE", "is the sandbox, which does not run in production");
  const base = isSandbox ? `${sandboxUrl}/v2` : reader.getUrl("EASYPOST_API_BASE");
  const apiKey = reader.getSecret("EASYPOST_API_KEY") ?? (isSandbox ? SANDBOX_KEY : undefined);
  const webhookSecret = reader.getSecret("EASYPOST_WEBHOOK_SECRET") ?? (isSandbox ? SANDBOX_WEBHOOK_SECRET : undefined);
  if (apiKey === undefined) {
    // An address without a key is a mistake: the table would count.
    if (base !== undefined) reader.noteMissing("EASYPOST_API_KEY");
    return undefined;
  }
  const origin = from ?? (isSandbox ? SANDBOX_ORIGIN : undefined);
  if (!origin) reader.noteMissing("SHIP_FROM");
  const place = { baseUrl: `${base ?? EASYPOST_API}/`, from: origin ?? SANDBOX_ORIGIN };
  return { sandbox: isSandbox, apiKey, ...(webhookSecret !== undefined && { webhookSecret }), ...place };
}

/** @throws Error that names each field that is wrong */
/** Returns a value that keeps the rules. @throws Error saying how it does not */
export function readFields<R extends Rules>(fields: R, input: unknown): InferRules<R> {
  const { value, problems } = createReader(fields)(input);
  if (problems) throw new Error(`cannot be used. ${problems.join(" ")}`);
  return value;
}

function parseOrigin(from: unknown): PostalAddress {
  const origin = readFields(rules({ from: shippingAddressRule }), { from }).from;
  const missing = listMissingFields(origin);
  if (missing.length > 0) throw new Error(`lacks ${missing.join(", ")}`);
  return origin;
}
