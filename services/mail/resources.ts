/** To whom each kind of mail goes. Its text is `templates/KIND.mustache`. */
export const KINDS = {
  confirmation: "buyer",
  received: "buyer",
  "payment-failed": "buyer",
  "address-missing": "buyer",
  shipped: "buyer",
  delayed: "buyer",
  "lines-cancelled": "buyer",
  cancelled: "buyer",
  refunded: "buyer",
  "refund-failed": "shop",
  dispute: "shop",
  "address-refused": "shop",
  "webhook-disabled": "shop",
} as const;

export type Kind = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as [Kind, ...Kind[]];
