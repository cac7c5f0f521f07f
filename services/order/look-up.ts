import { resolveKnownPlace } from "../../mixins/shop/postal-address.ts";
import type { OrderDocument } from "./collections.ts";
import { toContactKey } from "./derived.ts";

interface LookUp {
  email?: string | undefined;
  postalCode?: string | undefined;
}

type BuyerFacts = Pick<OrderDocument, "contact" | "shippingAddress">;

/** Returns which of what is given is the order's. */
export function findMatches({ contact, shippingAddress = {} }: BuyerFacts, { email, postalCode }: LookUp) {
  const { country } = shippingAddress;
  const toCode = (code: string | undefined) => resolveKnownPlace({ country, postalCode: code })?.postalCode;
  return {
    hasEmail: isSame(toContactKey(email), toContactKey(contact?.email)),
    hasPostalCode: isSame(toCode(postalCode), toCode(shippingAddress.postalCode)),
  };
}

function isSame(text: string | undefined, stored: string | undefined): boolean {
  return text !== undefined && text === stored;
}
