import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { refusal } from "../protocol/errors.ts";
import { operation } from "../protocol/operation.ts";
import { address, cents, currency, integer, list, object, oneOf, required, text } from "../protocol/parameters.ts";
import { computeTotals, taxRateAt } from "./checkout-sessions.ts";

const lineItem = object({
  amount: required(cents),
  quantity: integer({ min: 1, max: 999_999 }),
  reference: text({ max: 500 }),
});

const LIFETIME_SECONDS = 90 * 24 * 3_600;

export const taxOperations = [
  operation(
    "POST /v1/tax/calculations",
    {
      currency: required(currency),
      customer_details: required(
        object({ address: required(address), address_source: required(oneOf("billing", "shipping")) }),
      ),
      line_items: required(list(lineItem, { max: 1_000 })),
      shipping_cost: object({ amount: required(cents) }),
    },
    (scope, { customer_details: customer, line_items: lines, shipping_cost: cost }) => {
      assertTaxed(scope, lines);
      const { country, state } = customer.address;
      const rate = taxRateAt(customer.address);
      if (rate === undefined || (country === "US" && !customer.address.postal_code))
        throw refusal("We could not determine the customer's tax location based on the provided customer address.", {
          code: "customer_tax_location_invalid",
          param: "customer_details[address]",
        });
      const shipping = cost?.amount ?? 0;
      const { subtotal, total } = computeTotals(
        lines.map(({ amount }) => amount),
        shipping,
        { tax: rate, discount: 0 },
      );
      const tax = total - subtotal - shipping;
      return scope.store.insert("tax.calculation", {
        amount_total: total,
        currency: "usd",
        customer_details: { ...customer, ip_address: null, tax_ids: [], taxability_override: "none" },
        expires_at: scope.now() + LIFETIME_SECONDS,
        shipping_cost: cost
          ? { amount: shipping, amount_tax: 0, tax_behavior: "exclusive", tax_code: "txcd_92010001" }
          : null,
        tax_amount_exclusive: tax,
        tax_amount_inclusive: 0,
        tax_breakdown: [
          {
            amount: tax,
            inclusive: false,
            tax_rate_details: {
              country,
              flat_amount: null,
              percentage_decimal: String(rate / 100),
              rate_type: "percentage",
              state,
              tax_type: rate > 0 ? "sales_tax" : null,
            },
            taxability_reason: rate > 0 ? "standard_rated" : "not_collecting",
            taxable_amount: rate > 0 ? subtotal : 0,
          },
        ],
        tax_date: scope.now(),
      } as Partial<Omit<Stripe.Tax.Calculation, "id">>);
    },
  ),
];

function assertTaxed({ taxRegistered }: Account, lines: readonly { reference?: string }[]): void {
  if (!taxRegistered)
    throw refusal("You must have a valid head office address to calculate tax in test mode.", {
      code: "parameter_invalid",
    });
  const references = lines.flatMap(({ reference }) => reference ?? []);
  if (new Set(references).size < references.length)
    throw refusal("Each line item's reference must be unique.", { param: "line_items" });
}
