import { randomInt } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

/** New ids in the provider's forms. */
export const newId = {
  checkoutSession: () => `cs_test_a1${randomText(56)}`,
  paymentIntent: () => `pi_3${randomText(23)}`,
  setupIntent: () => `seti_1${randomText(23)}`,
  charge: () => `ch_3${randomText(23)}`,
  refund: () => `re_3${randomText(23)}`,
  dispute: () => `du_1${randomText(23)}`,
  customer: () => `cus_${randomText(14)}`,
  paymentMethod: () => `pm_1${randomText(23)}`,
  lineItem: () => `li_1${randomText(23)}`,
  price: () => `price_1${randomText(23)}`,
  product: () => `prod_${randomText(14)}`,
  shippingRate: () => `shr_1${randomText(23)}`,
  event: () => `evt_1${randomText(23)}`,
  request: () => `req_${randomText(14)}`,
  clientSecret: (intentId: string) => `${intentId}_secret_${randomText(25)}`,
};
