import { ignored, type Infer, integer, number, object, oneOf, string } from "@partline/api-contracts";
import { oneLine } from "../../broker/contract/common.ts";

/** A price in currency units from a client. */
export const unitPriceRule = number({
  money: "units",
  min: 0.01,
  max: 999_999.99,
  example: 55,
  whenNull: "This part has no price yet: price on request.",
});

/** An amount in currency units in an answer. */
export const amountRule = number({ money: "units", example: 55 });

/** The currency of all prices; no other money is added up. */
export const STORE_CURRENCY = "usd";

/** A day of the shop's calendar. */
export const dayRule = string({
  pattern: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  words: "a date, YYYY-MM-DD",
  example: "2026-12-08",
});

/** An amount inside, in whole cents. */
export const centsRule = integer({ money: "cents", example: 5_500 });

const createAddressLine = (max: number, example: string) => string({ max, optional: true, ...oneLine, example });

export const shippingAddressRule = object(
  "ShippingAddress",
  {
    name: createAddressLine(200, "Ada Mechanic"),
    street: createAddressLine(300, "354 Oyster Point Blvd"),
    city: createAddressLine(200, "South San Francisco"),
    state: createAddressLine(100, "CA"),
    postalCode: createAddressLine(30, "94080"),
    country: createAddressLine(100, "US"),
    phone: createAddressLine(50, "+1 555 0100"),
  },
  { personal: true },
);

export const contactRule = object(
  "Contact",
  {
    email: string({ optional: true, example: "ada@example.com" }),
    name: string({ optional: true, example: "Ada Mechanic" }),
    phone: string({ optional: true, example: "+1 555 0100" }),
  },
  { personal: true },
);

export type ShippingAddress = Infer<typeof shippingAddressRule>;

/** unitPrice is what the shopper was shown. */
export const cartItemRule = object("CartItem", {
  productId: string({ min: 1, max: 200, example: "kaw-159648141" }),
  partNumber: string({ min: 1, max: 100, example: "15964-8141" }),
  title: string({ min: 1, max: 500, example: "Carburetor, Assembly, FS730V" }),
  quantity: integer({ min: 1, max: 9_999 }),
  unitPrice: unitPriceRule,
  manufacturer: string({ max: 200, optional: true }),
  currency: string({ max: 10, optional: true, description: "Ignored: everything is in usd" }),
  imageUrl: string({
    max: 2_000,
    pattern: /^https?:\/\/[\x21-\x7e]+$/,
    words: "an http(s) URL",
    optional: true,
    nullable: true,
    emptyIsAbsent: true,
    example: "https://shop.example/carburetor.webp",
    description: "An http(s) URL; null, as in a search hit without a picture, is the same as none",
  }),
  availability: oneOf(["in_stock", "low_stock", "out_of_stock", "unknown"], {
    optional: true,
    emptyIsAbsent: true,
  }),
});

/** Fields of a search hit that a cart item does without. */
const hitFields = [
  "id",
  "objectID",
  "slug",
  "sku",
  "skuVariants",
  "description",
  "category",
  "price",
  "status",
  "supersededBy",
  "weightGrams",
  "hazmat",
  "oversize",
  "interchangeOf",
  "fits",
  "replaces",
  "media",
  "sources",
  "createdAt",
  "updatedAt",
  "highlights",
  "_highlightResult",
] as const;

/** Lines of a cart or a checkout. Source: spec, section 8. */
export const LINE_COUNT = { min: 1, max: 100 } as const;

/** A cart item from a client: also a search hit, with the quantity added. */
export const sentCartItemRule = object("CartItem", {
  ...cartItemRule.props,
  manufacturer: string({
    ...cartItemRule.props.manufacturer,
    within: "name",
    description: "A name; or an object that has it as `name`, as in a search hit",
  }),
  ...ignored(hitFields, "Ignored; search hits have it"),
  ...ignored(["deliveryPromise"], "Ignored; a checkout takes it"),
});

const MAILBOX = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_\x60{|}~.-]+`;
const DOMAIN = String.raw`[\p{L}\p{M}\p{N}.-]+\.[\p{L}\p{M}\p{N}-]+`;
/**
 * Pattern of parts that no address has: empty parts, hyphens at the ends of a label, hidden characters, encoded words.
 */
const NO_ADDRESS = String.raw`\.|.*(?:\p{DI}|=\?|\.\.|\.@|@[.-]|@.*\.-|@.*-\.|[.-]$)`;

/**
 * A mailbox without quotation marks or comments, and a domain with a dot; the mail provider checks the rest. Invisible
 * and direction-changing characters are refused: two addresses must not look the same. So are encoded words (`=?`),
 * which a mailer would read as another address. Source: `dot-atom` of RFC 5322, with the letters of RFC 6532.
 */
export const emailRule = string({
  personal: true,
  max: 254,
  pattern: new RegExp(`^(?!${NO_ADDRESS})${MAILBOX}@${DOMAIN}$`, "u"),
  words: "an e-mail address",
  example: "ada@example.com",
});

/** An order keeps any contact that the payment page took, so no rule of form keeps it from being found. */
export const contactEmailRule = string({
  personal: true,
  max: 512,
  pattern: /\S/,
  words: "an e-mail address",
  description: "The contact's email address; case and surrounding spaces do not matter",
  example: "ada@example.com",
});

export const cartIdRule = string({
  min: 20,
  max: 200,
  pattern: /^[a-zA-Z0-9_-]+$/,
  words: "letters, digits, _ and - alone",
  example: "cart_1700000000000_k3j9x2m1q",
});

/** All checkouts of a cart share a hold. */
export const holdOfCart = (cartId: string): string => `cart:${cartId}`;
