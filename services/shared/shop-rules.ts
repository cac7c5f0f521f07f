import { array, integer, number, object, oneOf, rules, string } from "@partline/api-contracts";
import { writtenLine } from "../../broker/contract/common.ts";
import { LANGUAGES } from "../../mixins/shop/languages.ts";
import { emailRule as personalEmailRule } from "./commerce.ts";
import { shippingTableFields } from "./shipping-table-rules.ts";

const createLineRule = <const E>(example: E, max = 200) => string({ max, ...writtenLine, example });
const createLinesRule = (example: string[], max: number) => array(createLineRule(undefined), { max, example });

/** The shop's own is nobody's. */
const emailRule = { ...personalEmailRule, personal: undefined };
const nameRule = createLineRule("Reno Parts", 100);
const addressRule = createLinesRule(["12 Wharf Road", "Reno, NV 89501"], 10);
const hoursRule = createLinesRule(["Mon to Fri 8 am to 5 pm", "Sat 9 am to noon"], 14);
const phoneRule = string({
  min: 3,
  max: 50,
  pattern: /^(?=.*[0-9])\+?[0-9 ().\-/x]+$/,
  words: "a phone number: digits, with spaces, ( ) . - / or x between, and a + in front",
  example: "+1 775 555 0100",
});
const timeZoneRule = string({
  min: 1,
  max: 100,
  example: "America/Los_Angeles",
  description: "IANA name of the zone whose days the shop's are",
});
const policyRule = string({ min: 1, max: 20_000, description: "Markdown. HTML in it is shown as text" });

const placeRule = object("PickupPlace", {
  id: string({
    min: 1,
    max: 40,
    pattern: /^[a-z0-9]+(-[a-z0-9]+)*$/,
    words: "lower-case letters, digits and single dashes",
    example: "main-store",
  }),
  name: createLineRule("Main store", 100),
  address: addressRule,
  hours: hoursRule,
});
const placesRule = array(placeRule, { max: 20 });

const imageRule = string({
  pattern: /^[0-9a-f]{64}$/,
  words: "the id of a stored image",
  description: "Id that PUT /api/media answers; GET /api/media/{id} is the picture",
  example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
});
const colourRule = string({ pattern: /^#[0-9a-f]{6}$/i, words: "a color like #1f5fbf", example: "#1f5fbf" });

const WEEKDAY = "(Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const TIME = "([01][0-9]|2[0-3]):[0-5][0-9]";
const workHoursRule = array(
  string({
    pattern: new RegExp(`^${WEEKDAY}(-${WEEKDAY})? ${TIME}-${TIME}$`),
    words: "days and times, as in `Mon-Fri 08:00-17:00`",
  }),
  {
    max: 14,
    example: ["Mon-Fri 08:00-17:00", "Sat 09:00-12:00"],
    description: "When orders are packed, which decides the days that buyers are shown; empty: they are shown none",
  },
);
const handlingDaysRule = integer({
  min: 0,
  max: 60,
  example: 1,
  description: "Working days from an order until it is packed; 0: on the same day",
});
const dealerDaysRule = integer({
  min: 0,
  max: 60,
  example: 3,
  description: "Working days more for pieces that the dealer or supplier has",
});
const daysRule = integer({ min: 0, max: 999, description: "Days until backordered pieces ship" });
const beyondRule = oneOf(["sell", "up_to_stock"], {
  description: "What happens to pieces beyond the stock: they are sold as backordered, or refused",
});
const vendorPoliciesRule = array(
  object("VendorStockPolicy", {
    vendor: string({ pattern: /^[A-Z0-9]{2,10}$/, words: "a vendor's code in upper case", example: "KAW" }),
    beyond: beyondRule,
    days: { ...daysRule, optional: true },
  }),
  { max: 200, description: "Exceptions by vendor", example: [{ vendor: "KAW", beyond: "up_to_stock" }] },
);
const shippingTableRule = object("ShippingTable", shippingTableFields);

const nullable = { nullable: true } as const;
const textsRule = object("PolicyTexts", {
  en: { ...policyRule, ...nullable },
  de: { ...policyRule, ...nullable },
  es: { ...policyRule, ...nullable },
});

const returnFields = rules({
  days: integer({
    min: 0,
    max: 730,
    description: "Days after delivery in which buyers can request a return; 0 if they cannot request one online",
  }),
  approval: oneOf(["auto", "manual"], { description: "auto: a return is granted at once; manual: staff decide" }),
  fee: number({
    money: "units",
    min: 0,
    max: 9_999.99,
    description: "Restocking fee for parts returned without a fault; kept from the refund",
  }),
});

export const shopFields = rules({
  shopName: nameRule,
  legalName: { ...nameRule, ...nullable, description: "On invoices, in place of the shop's name" },
  address: addressRule,
  phone: { ...phoneRule, ...nullable },
  email: { ...emailRule, ...nullable },
  openingHours: hoursRule,
  taxIds: createLinesRule(["EIN 12-3456789"], 10),
  timeZone: timeZoneRule,
  policies: object("Policies", { returns: textsRule, shipping: textsRule, privacy: textsRule, terms: textsRule }),
  pickupPlaces: placesRule,
  workHours: workHoursRule,
  handlingDays: handlingDaysRule,
  dealerDays: dealerDaysRule,
  logo: { ...imageRule, ...nullable },
  favicon: { ...imageRule, ...nullable },
  colours: object("ShopColours", {
    primary: { ...colourRule, ...nullable, description: "Of buttons and links" },
    accent: { ...colourRule, ...nullable, description: "Of symbols on the start page, and of the cart's count" },
  }),
  returns: object("ReturnTerms", returnFields),
});

export const newOrderMailsRule = oneOf([...LANGUAGES, "off"], {
  description: "Language of the mails that the shop gets about new orders and return requests; `off`: none",
});

/** What shoppers need not know. */
export const workFields = rules({
  mailSender: object(
    "MailSender",
    { name: { ...nameRule, optional: true, description: "Without it, the shop's" }, address: emailRule },
    { ...nullable, description: "Sender of mails. null: `MAIL_FROM` or `SHOP_EMAIL`" },
  ),
  stockPolicy: object("StockPolicy", {
    usual: object("UsualStockPolicy", { beyond: beyondRule, days: { ...daysRule, optional: true } }),
    vendors: vendorPoliciesRule,
  }),
  shippingTable: shippingTableRule,
});

const unset = { optional: true, nullable: true } as const;
const textChanges = object(
  "PolicyTextChanges",
  { en: { ...policyRule, ...unset }, de: { ...policyRule, ...unset }, es: { ...policyRule, ...unset } },
  unset,
);

/** Fields of a change of the shop's settings: null restores the default. */
export const settingChanges = rules({
  shopName: { ...nameRule, ...unset },
  legalName: { ...nameRule, ...unset },
  address: { ...addressRule, ...unset },
  phone: { ...phoneRule, ...unset },
  email: { ...emailRule, ...unset },
  openingHours: { ...hoursRule, ...unset },
  taxIds: { ...shopFields.taxIds, ...unset },
  timeZone: { ...timeZoneRule, ...unset },
  policies: object(
    "PolicyChanges",
    { returns: textChanges, shipping: textChanges, privacy: textChanges, terms: textChanges },
    unset,
  ),
  pickupPlaces: { ...placesRule, ...unset },
  workHours: { ...workHoursRule, ...unset },
  handlingDays: { ...handlingDaysRule, ...unset },
  dealerDays: { ...dealerDaysRule, ...unset },
  // The example can be sent as it is: no image is stored yet.
  logo: { ...imageRule, ...unset, example: null },
  favicon: { ...imageRule, ...unset, example: null },
  colours: object(
    "ShopColourChanges",
    { primary: { ...colourRule, ...unset }, accent: { ...colourRule, ...unset } },
    { ...unset, description: "Pages darken or lighten a color until text can be read" },
  ),
  returns: object(
    "ReturnTermsChanges",
    {
      days: { ...returnFields.days, ...unset },
      approval: { ...returnFields.approval, ...unset },
      fee: { ...returnFields.fee, ...unset },
    },
    unset,
  ),
  newOrderMails: { ...newOrderMailsRule, ...unset },
  mailSender: object("MailSenderChange", { name: { ...nameRule, ...unset }, address: emailRule }, unset),
  stockPolicy: object(
    "StockPolicyChanges",
    {
      usual: object(
        "UsualStockPolicyChange",
        { beyond: beyondRule, days: { ...daysRule, ...unset } },
        { optional: true },
      ),
      vendors: { ...vendorPoliciesRule, optional: true },
    },
    unset,
  ),
  shippingTable: { ...shippingTableRule, ...unset },
});
