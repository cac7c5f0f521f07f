import type Stripe from "stripe";

import { applyMetadata } from "../protocol/common-parameters.ts";
import type { Scope } from "../scope.ts";
import { newId } from "../state/ids.ts";
import type { WireLineItem } from "../state/resources.ts";
import type { CreateSession } from "./checkout-parameters.ts";
import type { Totals } from "./checkout-totals.ts";

/**
 * Makes a session's lines, each with the price and product that its `price_data` describes. Their amounts are set by
 * `withTotals`.
 */
export function createLines(scope: Scope, given: CreateSession["line_items"]): WireLineItem[] {
  return given.map(({ price_data: data, quantity, metadata }) => {
    const product = scope.store.insert<Stripe.Product>({
      id: newId.product(),
      object: "product",
      active: true,
      created: scope.now(),
      default_price: null,
      description: data.product_data.description ?? null,
      images: data.product_data.images ?? [],
      livemode: false,
      marketing_features: [],
      metadata: applyMetadata({}, data.product_data.metadata),
      name: data.product_data.name,
      package_dimensions: null,
      shippable: null,
      statement_descriptor: null,
      tax_code: data.product_data.tax_code ?? null,
      tax_details: null,
      type: "service",
      unit_label: data.product_data.unit_label ?? null,
      updated: scope.now(),
      url: null,
    });
    const price = scope.store.insert<WireLineItem["price"]>({
      id: newId.price(),
      object: "price",
      active: false,
      billing_scheme: "per_unit",
      created: scope.now(),
      currency: data.currency,
      custom_unit_amount: null,
      livemode: false,
      lookup_key: null,
      metadata: {},
      nickname: null,
      product: product.id,
      recurring: null,
      tax_behavior: data.tax_behavior ?? "unspecified",
      tiers_mode: null,
      transform_quantity: null,
      type: "one_time",
      unit_amount: data.unit_amount,
      unit_amount_decimal: String(data.unit_amount),
    });
    return {
      id: newId.lineItem(),
      object: "item",
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: data.unit_amount * quantity,
      amount_tax: 0,
      amount_total: data.unit_amount * quantity,
      currency: data.currency,
      description: product.name,
      metadata: applyMetadata({}, metadata),
      price,
      quantity,
    };
  });
}

export function withTotals(lines: WireLineItem[], totals: Totals): WireLineItem[] {
  return lines.map((line, index) => {
    const amounts = totals.lines[index];
    if (!amounts) return line;
    return { ...line, amount_discount: amounts.discount, amount_tax: amounts.tax, amount_total: amounts.total };
  });
}

/** Makes the shipping rates that a session's options describe. */
export function createShippingRates(scope: Scope, given: CreateSession["shipping_options"]): Stripe.ShippingRate[] {
  return (given ?? []).map(({ shipping_rate_data: data }) =>
    scope.store.insert<Stripe.ShippingRate>({
      id: newId.shippingRate(),
      object: "shipping_rate",
      active: true,
      created: scope.now(),
      delivery_estimate: data.delivery_estimate
        ? { maximum: data.delivery_estimate.maximum ?? null, minimum: data.delivery_estimate.minimum ?? null }
        : null,
      display_name: data.display_name,
      fixed_amount: data.fixed_amount,
      livemode: false,
      metadata: applyMetadata({}, data.metadata),
      tax_behavior: data.tax_behavior ?? "unspecified",
      tax_code: data.tax_code ?? null,
      type: "fixed_amount",
    }),
  );
}
