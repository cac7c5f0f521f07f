import type Stripe from "stripe";

import { email as emailField } from "../protocol/common-parameters.ts";
import { refusal } from "../protocol/errors.ts";
import type { FormObject } from "../protocol/form.ts";
import type { CheckoutEntry } from "../resources/checkout-payment.ts";
import type { CheckoutDetails } from "../resources/checkout-details.ts";
import { idOf } from "../state/resources.ts";

/** The fields of the hosted page's form, by name; "" is empty. */
export type CheckoutForm = Record<
  | "email"
  | "name"
  | "phone"
  | "line1"
  | "line2"
  | "city"
  | "state"
  | "postal_code"
  | "country"
  | "shipping_rate"
  | "promotion_code"
  | "payment_method",
  string
>;

/** Somebody to be, so that the page can be paid as it stands. */
const SHOPPER: CheckoutForm = {
  email: "shopper@example.com",
  name: "Jenny Rosen",
  phone: "+1 555 010 0100",
  line1: "354 Oyster Point Blvd",
  line2: "",
  city: "South San Francisco",
  state: "CA",
  postal_code: "94080",
  country: "US",
  shipping_rate: "",
  promotion_code: "",
  payment_method: "pm_card_visa",
};

/** The form as it is first shown: what the session and its customer say, an example shopper for the rest. */
export function prefilled(
  session: Stripe.Checkout.Session,
  customer: Stripe.Customer | undefined,
  intended: CheckoutDetails["intent"]["shipping"],
): CheckoutForm {
  const known =
    intended ??
    customer?.shipping ??
    (customer?.address ? { address: customer.address, name: customer.name } : undefined);
  const countries = session.shipping_address_collection?.allowed_countries ?? ["US"];
  const country = known?.address?.country ?? (countries.includes("US") ? "US" : (countries[0] ?? "US"));
  const place = known?.address
    ? {
        line1: known.address.line1 ?? "",
        line2: known.address.line2 ?? "",
        city: known.address.city ?? "",
        state: known.address.state ?? "",
        postal_code: known.address.postal_code ?? "",
      }
    : country === "US"
      ? {}
      : { state: "" };
  return {
    ...SHOPPER,
    ...place,
    country,
    email: session.customer_email ?? customer?.email ?? SHOPPER.email,
    name: known?.name ?? customer?.name ?? SHOPPER.name,
    phone: customer?.phone ?? SHOPPER.phone,
    shipping_rate: idOf(session.shipping_options[0]?.shipping_rate),
    payment_method: session.payment_method_types.includes("card") ? SHOPPER.payment_method : "pm_usBankAccount_success",
  };
}

/** The form with what a person sent in place of what was prefilled. */
export function filledIn(shown: CheckoutForm, sent: FormObject): CheckoutForm {
  const names = Object.keys(shown) as (keyof CheckoutForm)[];
  const entries = names.map((name) => [
    name,
    typeof sent[name] === "string" ? sent[name].trim().slice(0, 500) : shown[name],
  ]);
  return Object.fromEntries(entries) as CheckoutForm;
}

/** What was entered, checked. Throws ApiError 400 with a sentence for the person. */
export function toEntry(
  form: CheckoutForm,
  session: Stripe.Checkout.Session,
  address: "shipping" | "billing" | null,
): CheckoutEntry {
  const allowed = session.shipping_address_collection?.allowed_countries;
  if (form.email === "") throw refusal("Please enter your e-mail address.", { param: "email" });
  if (address && form.line1 === "") throw refusal("Please enter the street.", { param: "line1" });
  if (address === "shipping" && allowed && !allowed.includes(form.country)) {
    throw refusal("The shop does not deliver to this country.", { param: "country" });
  }
  const { line1, line2, city, state, postal_code, country } = form;
  return {
    email: session.customer_email ?? emailField(form.email, "email"),
    name: form.name || null,
    phone: session.phone_number_collection?.enabled ? form.phone || null : null,
    address: address
      ? {
          line1,
          line2: line2 || null,
          city: city || null,
          state: state || null,
          postal_code: postal_code || null,
          country,
        }
      : undefined,
    shippingRate: form.shipping_rate || undefined,
    promotionCode: form.promotion_code || undefined,
    paymentMethod: form.payment_method,
  };
}
