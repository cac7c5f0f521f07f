import { amountRule } from "../shared/commerce.ts";
import { any, array, date, integer, number, object, oneOf, record, rule, string } from "@partline/api-contracts";

export const PROJECTION_NAMES = ["orders", "conversion", "searches"] as const;
export type ProjectionName = (typeof PROJECTION_NAMES)[number];

/** Longest period of a report, days. */
export const MOST_DAYS = 1_096;
/** Longest period of a report by the hour, days. */
export const MOST_DAYS_BY_HOUR = 31;
/** Number of different texts kept for an hour. */
export const MOST_TEXTS_AN_HOUR = 200;
export const LONGEST_TEXT = 100;
/** Number of different texts in memory while a period is added up: some 30 MB. */
export const MOST_TEXTS_A_PERIOD = 100_000;

const countRule = integer();
const count = (description: string) => integer({ description });
const minorRule = count("In the currency's smallest unit");

const countedUntil = {
  as_of: date({ nullable: true, description: "Time of the latest counted event; null before the first" }),
  behind: integer({
    nullable: true,
    description:
      "Recorded events that are not counted yet; null if the event store does not answer, or has fewer events than " +
      "were counted",
  }),
};

const head = {
  from: date({ description: "Start of the counted hours (inclusive)" }),
  to: date({ description: "End of the counted hours (exclusive); the period is widened to whole hours" }),
  ...countedUntil,
};

const slotStart = {
  start: date({
    description: "Start of the hour or day, in the shop's time zone; of the first day, of its counted part",
  }),
};

const createStatusCounts = (description: string) => record(string(), countRule, { description });

const orderFields = {
  totalOrders: count("Orders placed in the period, in any state"),
  byStatus: createStatusCounts("Orders by their present status"),
  byPaymentStatus: createStatusCounts("Orders by their present payment status"),
  byEvent: createStatusCounts(
    "Orders that were updated, shipped, cancelled or refunded at least once, regardless of their present status",
  ),
};

const revenueProps = { gross: amountRule, refunded: amountRule, disputed: amountRule, net: amountRule };

const averageRule = rule({
  ...amountRule,
  description: "`gross` divided by its number of orders, to the cent; 0 without orders",
});

const revenueFields = {
  currency: string({ example: "usd" }),
  chargedOrders: count("Paid orders in this currency"),
  revenue: object("CountedRevenue", revenueProps, {
    description:
      "Of orders placed in the period and paid in this currency: `gross` is the sum of their totals (also of " +
      "cancelled ones), `refunded` and `disputed` what was paid back or disputed until now, `net` the difference",
  }),
  averageOrderValue: averageRule,
  otherCurrencies: array(
    object("OtherCurrency", {
      currency: string(),
      orders: countRule,
      grossMinor: minorRule,
      refundedMinor: minorRule,
      disputedMinor: minorRule,
      netMinor: minorRule,
    }),
    {
      description:
        "Orders paid in other currencies, by currency, in its smallest unit; they are not converted or added up",
    },
  ),
};

const funnelFields = {
  carts: object(
    "CartFunnel",
    { saved: countRule, checkedOut: countRule, paid: countRule },
    {
      description: "Carts saved in the period, by cartId, and how many of them were checked out and paid until now",
    },
  ),
  checkouts: object(
    "CheckoutFunnel",
    { started: countRule, paid: countRule },
    {
      description:
        "Checkouts started in the period, with or without a saved cart, and how many of them were paid until now. " +
        "Several checkouts of one cart count once",
    },
  ),
};

const rateRule = number({
  nullable: true,
  description: "0 to 1, to four digits; null if the divisor is 0",
});

const conversionFields = {
  ...funnelFields,
  rates: object("ConversionRates", { cartToCheckout: rateRule, checkoutToPaid: rateRule, cartToPaid: rateRule }),
};

const partRule = object("SoldPart", {
  productId: string(),
  partNumber: string({ description: "Spelling of the part number under which most pieces were sold" }),
  name: string({ nullable: true, description: "Title in those orders; null if they were counted before 0.3" }),
  quantity: { ...countRule, description: "Pieces sold, less those cancelled or returned" },
  revenue: { ...amountRule, description: "Price times quantity, before tax, shipping, discounts and other refunds" },
});

const partsField = array(partRule, {
  description: "Parts of orders placed in the period that are paid in USD and not cancelled",
});

const searchCount = { searches: countRule, zeroHits: count("Searches that found nothing") };

const searchFields = {
  ...searchCount,
  withoutText: object("SearchCount", searchCount, { description: "Searches by filters only" }),
  others: object("SearchCount", searchCount, {
    description:
      `Searches whose text is not kept: those after the first ${MOST_TEXTS_AN_HOUR} different texts of an hour. In a ` +
      `period with more than ${MOST_TEXTS_A_PERIOD} different texts, also the rarest`,
  }),
};

const textsRule = array(
  object("SearchedText", {
    query: string({
      description: `The first ${LONGEST_TEXT} characters, in lower case, without accents`,
    }),
    ...searchCount,
  }),
);

export const ordersRule = object("OrderAnalytics", {
  ...head,
  ...orderFields,
  series: array(
    object("OrderSlot", {
      ...slotStart,
      orders: countRule,
      charged: count("Paid orders, in any currency"),
      cancelled: countRule,
    }),
  ),
});

export const revenueRule = object("RevenueAnalytics", {
  ...head,
  ...revenueFields,
  series: array(
    object("RevenueSlot", {
      ...slotStart,
      charged: count("Number of orders in `gross`"),
      ...revenueProps,
      averageOrderValue: averageRule,
    }),
    { description: "A refund counts in the hour or day of its order" },
  ),
});

export const conversionRule = object("ConversionAnalytics", {
  ...head,
  ...conversionFields,
  series: array(object("FunnelSlot", { ...slotStart, ...funnelFields })),
});

export const partsRule = object("PartAnalytics", { ...head, parts: partsField });

export const searchesRule = object("SearchAnalytics", {
  ...head,
  ...searchFields,
  queries: { ...textsRule, description: "The most frequent first" },
  series: array(object("SearchSlot", { ...slotStart, ...searchCount })),
});

export const zeroHitsRule = object("ZeroHitAnalytics", {
  ...head,
  ...searchFields,
  queries: { ...textsRule, description: "The most frequent without a result first" },
});

export const overviewRule = object("AnalyticsOverview", {
  ...head,
  orders: object("OrderFigures", orderFields),
  revenue: object("RevenueFigures", revenueFields),
  conversion: object("ConversionFigures", conversionFields),
  searches: object("SearchFigures", searchFields),
  topParts: partsField,
  topSearches: { ...textsRule, description: "The most frequent first" },
  topZeroHits: { ...textsRule, description: "The most frequent without a result first" },
});

export const projectionNameRule = oneOf(PROJECTION_NAMES);

export const projectionRule = object("Projection", {
  name: projectionNameRule,
  state: oneOf(["current", "catching_up", "rebuilding", "ahead", "unknown"], {
    description:
      "`rebuilding`: a rebuild runs beside the live figures; `ahead`: the event store lost events that are counted, " +
      "and new ones may be left out until a rebuild; `unknown`: the event store does not answer",
  }),
  generation: count("Number of the live generation"),
  position: count("Position of the last counted event"),
  ...countedUntil,
  rebuilding: object(
    "ProjectionRebuild",
    { generation: countRule, position: countRule, startedAt: date() },
    { nullable: true },
  ),
});

export const projectionsRule = object("ProjectionList", { projections: array(projectionRule) });

export const exportedSearchFields = {
  searchedAt: date(),
  query: string(),
  resultsCount: integer(),
  tookMs: number(),
  filters: record(string(), any()),
};
