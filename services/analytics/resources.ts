import { amountRule } from "../../broker/contract/common.ts";
import { rule, rules } from "../../broker/contract/rules.ts";
import { LONGEST_TEXT, MOST_TEXTS_A_PERIOD, MOST_TEXTS_AN_HOUR, PROJECTION_NAMES } from "./limits.ts";

const countRule = rule({ type: "number", integer: true });
const minorRule = rule({ ...countRule, description: "In the currency's smallest unit" });

/** The beginning of every answer. */
const countedUntil = rules({
  as_of: {
    type: "date",
    nullable: true,
    description: "When the latest event that is counted happened; null before the first",
  },
  behind: {
    type: "number",
    integer: true,
    nullable: true,
    description:
      "Events that are recorded and not counted yet; null when the event store does not answer, or has fewer than were counted",
  },
});

const head = rules({
  from: { type: "date", description: "Beginning of the hours that are counted (inclusive)" },
  to: { type: "date", description: "Their end (exclusive): a period is widened to whole hours" },
  ...countedUntil,
});

const slotStart = rules({
  start: { type: "date", description: "Beginning of the hour or UTC day; for the first day, of its counted part" },
});

const statusCounts = rule({ type: "record", key: { type: "string" }, value: countRule });

const orderFields = rules({
  totalOrders: { ...countRule, description: "Orders made in the period, in any state" },
  byStatus: { ...statusCounts, description: "Count of every status, as it is now" },
  byPaymentStatus: { ...statusCounts, description: "Count of every payment status, as it is now" },
  byEvent: {
    ...statusCounts,
    description:
      "Orders that were updated, shipped, cancelled or refunded at least once, regardless of what they are now",
  },
});

const revenueProps = rules({ gross: amountRule, refunded: amountRule, net: amountRule });

const averageRule = rule({
  ...amountRule,
  description: "gross by the number of orders in it, to the cent; 0 when there is none",
});

const revenueFields = rules({
  currency: { type: "string", example: "usd" },
  chargedOrders: { ...countRule, description: "Orders in this currency whose payment was taken" },
  revenue: {
    type: "object",
    title: "CountedRevenue",
    description:
      "Over the orders made in the period whose payment was taken and is in this currency: gross is the sum of their totals (of cancelled ones too), refunded what was paid back of them until now, net the difference",
    props: revenueProps,
  },
  averageOrderValue: averageRule,
  otherCurrencies: {
    type: "array",
    description:
      "The same of orders that were paid in another currency, each for itself: never added up, in the smallest units of that currency",
    items: {
      type: "object",
      title: "OtherCurrency",
      props: {
        currency: { type: "string" },
        orders: countRule,
        grossMinor: minorRule,
        refundedMinor: minorRule,
        netMinor: minorRule,
      },
    },
  },
});

const funnelFields = rules({
  carts: {
    type: "object",
    title: "CartFunnel",
    description:
      "Carts saved in the period, by their cartId, and how many of these were checked out and paid until now",
    props: { saved: countRule, checkedOut: countRule, paid: countRule },
  },
  checkouts: {
    type: "object",
    title: "CheckoutFunnel",
    description:
      "Checkouts started in the period, with or without a saved cart (several of one cart are one), and how many of these were paid until now",
    props: { started: countRule, paid: countRule },
  },
});

const rateRule = rule({ type: "number", nullable: true, description: "0 to 1, to four digits; null of nothing" });

const conversionFields = rules({
  ...funnelFields,
  rates: {
    type: "object",
    title: "ConversionRates",
    props: { cartToCheckout: rateRule, checkoutToPaid: rateRule, cartToPaid: rateRule },
  },
});

const partRule = rule({
  type: "object",
  title: "SoldPart",
  props: {
    productId: { type: "string" },
    partNumber: { type: "string", description: "The one under which most pieces were sold" },
    quantity: countRule,
    revenue: { ...amountRule, description: "Price by quantity, before tax, shipping, discounts and partial refunds" },
  },
});

const partsField = rule({
  type: "array",
  description: "Of the orders made in the period that are paid, in usd, and not cancelled",
  items: partRule,
});

const searchCount = rules({ searches: countRule, zeroHits: { ...countRule, description: "Those that found nothing" } });

const searchFields = rules({
  ...searchCount,
  withoutText: {
    type: "object",
    title: "SearchCount",
    description: "Of these, searches by filters alone",
    props: searchCount,
  },
  others: {
    type: "object",
    title: "SearchCount",
    description:
      `Of these, searches that the lists of texts do not have: the first ${MOST_TEXTS_AN_HOUR} different texts of an hour are kept apart, 24 times as many a day at most; ` +
      `of a period with more than ${MOST_TEXTS_A_PERIOD} different texts, rare ones are here too`,
    props: searchCount,
  },
});

const textsRule = rule({
  type: "array",
  items: {
    type: "object",
    title: "SearchedText",
    props: {
      query: {
        type: "string",
        description: `As it was typed, in lower case, without accents; its first ${LONGEST_TEXT} characters`,
      },
      ...searchCount,
    },
  },
});

export const ordersRule = rule({
  type: "object",
  title: "OrderAnalytics",
  props: {
    ...head,
    ...orderFields,
    series: {
      type: "array",
      items: {
        type: "object",
        title: "OrderSlot",
        props: {
          ...slotStart,
          orders: countRule,
          charged: { ...countRule, description: "Those whose payment was taken, in any currency" },
          cancelled: countRule,
        },
      },
    },
  },
});

export const revenueRule = rule({
  type: "object",
  title: "RevenueAnalytics",
  props: {
    ...head,
    ...revenueFields,
    series: {
      type: "array",
      description: "A refund counts in the hour or day of its order",
      items: {
        type: "object",
        title: "RevenueSlot",
        props: {
          ...slotStart,
          charged: { ...countRule, description: "Orders in it" },
          ...revenueProps,
          averageOrderValue: averageRule,
        },
      },
    },
  },
});

export const conversionRule = rule({
  type: "object",
  title: "ConversionAnalytics",
  props: {
    ...head,
    ...conversionFields,
    series: { type: "array", items: { type: "object", title: "FunnelSlot", props: { ...slotStart, ...funnelFields } } },
  },
});

export const partsRule = rule({ type: "object", title: "PartAnalytics", props: { ...head, parts: partsField } });

export const searchesRule = rule({
  type: "object",
  title: "SearchAnalytics",
  props: {
    ...head,
    ...searchFields,
    queries: { ...textsRule, description: "Searched for most often" },
    series: { type: "array", items: { type: "object", title: "SearchSlot", props: { ...slotStart, ...searchCount } } },
  },
});

export const zeroHitsRule = rule({
  type: "object",
  title: "ZeroHitAnalytics",
  props: { ...head, ...searchFields, queries: { ...textsRule, description: "Found nothing most often" } },
});

export const overviewRule = rule({
  type: "object",
  title: "AnalyticsOverview",
  props: {
    ...head,
    orders: { type: "object", title: "OrderFigures", props: orderFields },
    revenue: { type: "object", title: "RevenueFigures", props: revenueFields },
    conversion: { type: "object", title: "ConversionFigures", props: conversionFields },
    searches: { type: "object", title: "SearchFigures", props: searchFields },
    topParts: partsField,
    topSearches: { ...textsRule, description: "Searched for most often" },
    topZeroHits: { ...textsRule, description: "Found nothing most often" },
  },
});

export const projectionNameRule = rule({ type: "enum", values: PROJECTION_NAMES });

export const projectionsRule = rule({
  type: "object",
  title: "ProjectionList",
  props: {
    projections: {
      type: "array",
      items: {
        type: "object",
        title: "Projection",
        props: {
          name: projectionNameRule,
          state: {
            type: "enum",
            values: ["current", "catching_up", "rebuilding", "ahead", "unknown"],
            description:
              "`rebuilding`: rebuilt beside the live figures; `ahead`: the event store lost events that are " +
              "counted, and new ones may be left out until a rebuild; `unknown`: the event store does not answer",
          },
          generation: { ...countRule, description: "Of what is read" },
          position: { ...countRule, description: "Of the last event that is counted" },
          ...countedUntil,
          rebuilding: {
            type: "object",
            title: "ProjectionRebuild",
            nullable: true,
            props: { generation: countRule, position: countRule, startedAt: { type: "date" } },
          },
        },
      },
    },
  },
});
