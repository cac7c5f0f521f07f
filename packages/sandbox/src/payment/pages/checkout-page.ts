import type Stripe from "stripe";

import { type Html, html } from "../../server/html.ts";
import type { CheckoutForm } from "../resources/checkout-payment.ts";
import type { Totals } from "../resources/totals.ts";
import { formatMoney, page } from "./layout.ts";
import type { LineItem } from "../store.ts";

export type CheckoutView = {
  session: Stripe.Checkout.Session;
  lines: (LineItem & { note: string | null | undefined })[];
  shippingRates: Stripe.ShippingRate[];
  totals: Totals;
  form: CheckoutForm;
  /** Address that the page asks for: none, or that of delivery or billing. */
  address: "shipping" | "billing" | null;
  problem?: string;
  news?: string;
};

/** The page on which a person pays. Its first form pays as it is; declining, a bank debit and leaving follow. */
export function renderCheckoutPage(view: CheckoutView): Html {
  const { session, totals } = view;
  const action = `/c/pay/${session.id}`;
  return page(
    `Pay ${formatMoney(totals.total)}`,
    html`<div class="columns">
<aside><section class="card"><h1>Your order</h1><p class="total-now">${formatMoney(totals.total)}</p>${renderSummary(view)}</section></aside>
<div>
<form class="card" method="post" action="${action}">
${view.problem && html`<p class="notice" role="alert">${view.problem}</p>`}
${view.news && html`<p class="notice mild" role="status">${view.news}</p>`}
${renderContactFields(view)}
${view.address && renderAddressFields(view)}
${renderShippingChoices(view)}
${session.allow_promotion_codes && renderField("promotion_code", "Promotion code", view.form.promotion_code, html`<small>Try SAVE10</small>`)}
${totals.total > 0 && renderMethodField(view)}
<input type="hidden" name="shown_total" value="${totals.total}">
<button class="main">${totals.total === 0 ? "Complete order:" : "Pay"} ${formatMoney(totals.total)}</button>
</form>
<section class="card"><h2>Other ways this can go</h2>
<div class="others">
${renderOtherForm(`${action}/decline`, view, "Card is declined")}
${totals.total > 0 && renderOtherForm(`${action}/delayed`, view, "Pay by bank debit")}
<form method="post" action="${action}/leave"><button>Go back to the shop</button></form>
</div>
<p class="soft">A bank debit completes the order at once; the money arrives, or does not, later. This page is open until
<time datetime="${new Date(session.expires_at * 1_000).toISOString()}">${new Date(session.expires_at * 1_000).toUTCString()}</time>.</p>
</section>
</div>
</div>`,
  );
}

function renderSummary({ session, lines, totals, shippingRates, form }: CheckoutView): Html {
  const shipping = shippingRates.find((rate) => rate.id === form.shipping_rate) ?? shippingRates[0];
  const taxPending = session.automatic_tax.enabled && totals.tax === 0;
  return html`<table>
<tbody>${lines.map(
    (
      line,
    ) => html`<tr><td>${line.description}${line.note && html`<br><em>${line.note}</em>`}<br><small>${line.quantity} × ${formatMoney(line.price.unit_amount ?? 0)}</small></td>
<td>${formatMoney(line.amount_subtotal)}</td></tr>`,
  )}</tbody>
<tbody><tr><th scope="row">Subtotal</th><td>${formatMoney(totals.subtotal)}</td></tr>
${totals.discount > 0 && html`<tr><th scope="row">Discount</th><td>${formatMoney(-totals.discount)}</td></tr>`}
${shipping && html`<tr><th scope="row">Shipping <small>${shipping.display_name}</small></th><td>${totals.shipping === 0 ? "Free" : formatMoney(totals.shipping)}</td></tr>`}
<tr><th scope="row">Tax</th><td>${taxPending ? "by address" : formatMoney(totals.tax)}</td></tr></tbody>
<tfoot><tr class="grand"><th scope="row">Total</th><td>${formatMoney(totals.total)} ${(session.currency ?? "usd").toUpperCase()}</td></tr></tfoot>
</table>`;
}

function renderContactFields({ session, form }: CheckoutView): Html {
  return html`<h2>Contact</h2>
<label for="email">E-mail</label>
<input id="email" name="email" type="email" required maxlength="512" autocomplete="email" value="${form.email}">
${renderField("name", "Name", form.name, null, "name")}${session.phone_number_collection?.enabled && renderField("phone", "Phone", form.phone, null, "tel")}`;
}

function renderAddressFields({ session, address, form }: CheckoutView): Html {
  const countries = session.shipping_address_collection?.allowed_countries ?? ["US"];
  return html`<h2>${address === "shipping" ? "Deliver to" : "Billing address"}</h2>
${renderField("line1", "Street", form.line1, null, "address-line1")}
${renderField("line2", "Apartment, suite (optional)", form.line2, null, "address-line2")}
<div class="pair">${renderField("city", "City", form.city, null, "address-level2")}${renderField("state", "State", form.state, null, "address-level1")}</div>
<div class="pair">${renderField("postal_code", "ZIP", form.postal_code, null, "postal-code")}
<div><label for="country">Country</label><select id="country" name="country" autocomplete="country">${countries.map(
    (country) => html`<option ${country === form.country && html`selected`}>${country}</option>`,
  )}</select></div></div>`;
}

function renderShippingChoices({ shippingRates, form }: CheckoutView): Html | null {
  if (shippingRates.length === 0) return null;
  return html`<h2>Shipping</h2>${shippingRates.map(
    (rate, index) =>
      html`<label class="choice"><input type="radio" name="shipping_rate" value="${rate.id}" ${
        (form.shipping_rate ? form.shipping_rate === rate.id : index === 0) && html`checked`
      }><span>${rate.display_name}${estimateText(rate)}</span><span>${formatMoney(rate.fixed_amount?.amount ?? 0)}</span></label>`,
  )}`;
}

function estimateText({ delivery_estimate: estimate }: Stripe.ShippingRate): Html | null {
  const bounds = [estimate?.minimum, estimate?.maximum].filter((bound) => bound != null);
  const unit = bounds.at(-1)?.unit.replace("_", " ");
  const values = [...new Set(bounds.map((bound) => bound.value))].join(" to ");
  return bounds.length === 0 ? null : html`<br><small>${values} ${unit}${values === "1" ? "" : "s"}</small>`;
}

const CARDS = [
  ["pm_card_visa", "Visa ending 4242: pays"],
  ["pm_card_mastercard", "Mastercard ending 4444: pays"],
  ["pm_card_refundFail", "Visa ending 5126: pays, a refund fails later"],
  ["pm_card_pendingRefund", "Visa ending 7726: pays, a refund takes its time"],
  ["pm_card_createDispute", "Visa ending 0259: pays, then disputes it"],
  ["pm_card_chargeDeclinedInsufficientFunds", "Visa ending 9995: insufficient funds"],
] as const;

function renderMethodField({ form }: CheckoutView): Html {
  return html`<h2>Test card</h2>
<label for="payment_method" class="soft">Card</label><select id="payment_method" name="payment_method">${CARDS.map(
    ([id, label]) => html`<option value="${id}" ${form.payment_method === id && html`selected`}>${label}</option>`,
  )}</select>`;
}

function renderOtherForm(action: string, { form }: CheckoutView, label: string): Html {
  const hiddenFields = Object.entries(form).filter(([name, value]) => value !== "" && name !== "payment_method");
  return html`<form method="post" action="${action}">${hiddenFields.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button>${label}</button></form>`;
}

function renderField(
  name: keyof CheckoutForm,
  label: string,
  value: string,
  hint: Html | null = null,
  autocomplete = "off",
): Html {
  return html`<div><label for="${name}">${label} ${hint}</label><input id="${name}" name="${name}" value="${value}" autocomplete="${autocomplete}"></div>`;
}
