import { amountRule } from "../shared/commerce.ts";
import { any, array, date, integer, number, object, oneOf, record, rule, string } from "../../broker/contract/rules.ts";

export const PROJECTION_NAMES = ["orders", "conversion", "searches"] as const;
export type ProjectionName = (typeof PROJECTION_NAMES)[number];

/** Longest period of a report, days. */
export const MOST_DAYS = 1_096;
/** Longest period of a report by the hour, days. */
export const MOST_DAYS_BY_HOUR = 31;
/** Different texts kept of an hour. */
export const MOST_TEXTS_AN_HOUR = 200;
export const LONGEST_TEXT = 100;
/** Different texts held while a period is added up: some 30 MB. */
export const MOST_TEXTS_A_PERIOD = 100_000;

const countRule = integer();
const count = (description: string) => integer({ description });
const minorRule = count("In the currency's smallest unit");

const countedUntil = {
  as_of: date({ nullable: true, description: "Time of the latest counted event; null before the first" }),
  behind: integer({
    nullable: true,
    description:
      "Recorded events that are not counted yet; null if the event store does not answer, or has fewer than " +
      "were counted",
  }),
};

const head = {
  from: date({ description: "Beginning of the hours that are counted (inclusive)" }),
  to: date({ description: "End of the hours (exclusive): a period is widened to whole hours" }),
  ...countedUntil,
};

const slotStart = {
  start: date({ description: "Beginning of the hour or day of the shop; for the first day, of its counted part" }),
};

const createStatusCounts = (description: string) => record(string(), countRule, { description });

const orderFields = {
  totalOrders: count("Orders of the period, in any state"),
  byStatus: createStatusCounts("Count of every status, as it is now"),
  byPaymentStatus: createStatusCounts("Count of every payment status, as it is now"),
  byEvent: createStatusCounts(
    "Orders that were updated, shipped, cancelled or refunded at least once, regardless of what they are now",
  ),
};

const revenueProps = { gross: amountRule, refunded: amountRule, disputed: amountRule, net: amountRule };

const averageRule = rule({
  ...amountRule,
  description: "gross divided by the number of orders in it, to the cent; 0 if there are none",
});

const revenueFields = {
  currency: string({ example: "usd" }),
  chargedOrders: count("Paid orders in this currency"),
  revenue: object("CountedRevenue", revenueProps, {
    description:
      "Over the orders made in the period whose payment was taken and is in this currency: gross is the sum of their totals (of cancelled ones too), refunded what was paid back of them until now, net the difference",
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
        "The same of orders that were paid in another currency, each for itself: never added up, in the smallest units of that currency",
    },
  ),
};

const funnelFields = {
  carts: object(
    "CartFunnel",
    { saved: countRule, checkedOut: countRule, paid: countRule },
    {
      description:
        "Carts saved in the period, by their cartId, and how many of these were checked out and paid until now",
    },
  ),
  checkouts: object(
    "CheckoutFunnel",
    { started: countRule, paid: countRule },
    {
      description:
        "Checkouts started in the period, with or without a saved cart (several of one cart are one), and how many of these were paid until now",
    },
  ),
};

const rateRule = number({
  nullable: true,
  description: "0 to 1, to four digits; null if there is nothing to divide by",
});

const conversionFields = {
  ...funnelFields,
  rates: object("ConversionRates", { cartToCheckout: rateRule, checkoutToPaid: rateRule, cartToPaid: rateRule }),
};

const partRule = object("SoldPart", {
  productId: string(),
  partNumber: string({ description: "The part number under which most pieces were sold" }),
  name: string({ nullable: true, description: "Its title in those orders; null of orders counted before 0.3" }),
  quantity: countRule,
  revenue: { ...amountRule, description: "Price by quantity, before tax, shipping, discounts and partial refunds" },
});

const partsField = array(partRule, {
  description: "Of the orders made in the period that are paid, in usd, and not cancelled",
});

const searchCount = { searches: countRule, zeroHits: count("Those that found nothing") };

const searchFields = {
  ...searchCount,
  withoutText: object("SearchCount", searchCount, { description: "Of these, searches by filters alone" }),
  others: object("SearchCount", searchCount, {
    description:
      `Of these, searches that the lists of texts do not have: the first ${MOST_TEXTS_AN_HOUR} different texts of an hour are kept apart, 24 times as many a day at most; ` +
      `of a period with more than ${MOST_TEXTS_A_PERIOD} different texts, rare ones are here too`,
  }),
};

const textsRule = array(
  object("SearchedText", {
    query: string({
      description: `As it was typed, in lower case, without accents; its first ${LONGEST_TEXT} characters`,
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
      charged: count("Those whose payment was taken, in any currency"),
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
      charged: count("Orders in it"),
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
  queries: { ...textsRule, description: "Searched for most often" },
  series: array(object("SearchSlot", { ...slotStart, ...searchCount })),
});

export const zeroHitsRule = object("ZeroHitAnalytics", {
  ...head,
  ...searchFields,
  queries: { ...textsRule, description: "Found nothing most often" },
});

export const overviewRule = object("AnalyticsOverview", {
  ...head,
  orders: object("OrderFigures", orderFields),
  revenue: object("RevenueFigures", revenueFields),
  conversion: object("ConversionFigures", conversionFields),
  searches: object("SearchFigures", searchFields),
  topParts: partsField,
  topSearches: { ...textsRule, description: "Searched for most often" },
  topZeroHits: { ...textsRule, description: "Found nothing most often" },
});

export const projectionNameRule = oneOf(PROJECTION_NAMES);

export const projectionRule = object("Projection", {
  name: projectionNameRule,
  state: oneOf(["current", "catching_up", "rebuilding", "ahead", "unknown"], {
    description:
      "`rebuilding`: rebuilt beside the live figures; `ahead`: the event store lost events that are " +
      "counted, and new ones may be left out until a rebuild; `unknown`: the event store does not answer",
  }),
  generation: count("Of what is read"),
  position: count("Of the last event that is counted"),
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
