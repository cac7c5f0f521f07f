import type Stripe from "stripe";
import { defineOperation } from "../protocol/operation.ts";
import { address, cents, currency, integer, list, object, oneOf, required, text } from "../protocol/parameters.ts";
import { createUnknownTaxLocation } from "./checkout-sessions.ts";
import { computeTotals, taxRateAt } from "./totals.ts";

const lineItem = object({
  amount: required(cents),
  quantity: integer({ min: 1, max: 999_999 }),
  reference: text({ max: 500 }),
  tax_behavior: oneOf("exclusive", "inclusive"),
});

export const taxOperations = [
  defineOperation(
    "POST /v1/tax/calculations",
    {
      currency: required(currency),
      customer_details: required(
        object({ address: required(address), address_source: required(oneOf("billing", "shipping")) }),
      ),
      line_items: required(list(lineItem, { max: 1_000 })),
      shipping_cost: object({ amount: required(cents), tax_behavior: oneOf("exclusive", "inclusive") }),
    },
    (scope, { customer_details: customer, line_items: lines, shipping_cost: cost }) => {
      const { country, state } = customer.address;
      const rate = taxRateAt(customer.address);
      if (rate === undefined || (country === "US" && !customer.address.postal_code)) throw createUnknownTaxLocation();
      const { tax, total } = computeTotals(
        lines.map(({ amount, tax_behavior: behavior }) => ({ amount, isInclusive: behavior === "inclusive" })),
        cost?.amount ?? 0,
        { tax: rate, discount: 0 },
      );
      return scope.store.insert("tax.calculation", {
        amount_total: total,
        currency: "usd",
        tax_amount_exclusive: tax,
        tax_breakdown: [
          {
            amount: tax,
            tax_rate_details: { country, state, tax_type: "sales_tax" },
          },
        ],
      } as Partial<Omit<Stripe.Tax.Calculation, "id">>);
    },
  ),
];
