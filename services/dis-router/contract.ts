import { centsRule } from "../shared/commerce.ts";
import { writtenText } from "../../broker/contract/common.ts";
import { defineService } from "../../broker/contract/define.ts";
import { array, boolean, date, integer, object, oneOf, rules, string } from "@partline/api-contracts";
import { HIGHEST_PRICE } from "@partline/parts-language";
import { DIS_ERRORS } from "../shared/dis-errors.ts";

const partParams = rules({
  vendor: string({ min: 2, max: 10, description: "Vendor code, in any case", example: "BNS" }),
  partNumber: string({
    ...writtenText,
    max: 100,
    description: "As the supplier writes it",
    example: "15964-8141",
  }),
});

export const inquiredPartRule = object({
  ...partParams,
  found: boolean({
    nullable: true,
    description: "Whether the supplier has the part; null if unknown, with an `error` and without an earlier answer",
  }),
  price: {
    ...centsRule,
    nullable: true,
    description: "Null if the part is not found, its price is unknown, or the supplier has no price",
  },
  available: boolean({ nullable: true, description: "As the supplier reports it, regardless of the quantity" }),
  quantity: integer({ nullable: true, description: "Pieces on hand, 0 or more; null if unknown" }),
  live: boolean({ description: "Whether the supplier answered during this call" }),
  saidAt: date({ nullable: true, description: "When the supplier reported the values; null if it never has" }),
  ageSeconds: integer({ nullable: true, description: "Seconds since `saidAt`" }),
  error: oneOf(DIS_ERRORS, {
    nullable: true,
    description: "Why the supplier did not answer; values beside it are the last known, `ageSeconds` old",
  }),
});

const dealerWordRule = object({
  vendor: string({ description: "Code in upper case" }),
  partNumber: string(),
  found: boolean({ description: "False if the dealer does not have the part; its stock is then unknown" }),
  price: {
    ...centsRule,
    min: 1,
    max: HIGHEST_PRICE,
    nullable: true,
    description: "Null if the dealer did not report a price",
  },
  quantity: integer({ min: 0, nullable: true, description: "Stock on hand; null if unknown" }),
  available: boolean({ nullable: true }),
  saidAt: string({
    optional: true,
    description:
      "ISO 8601. Data recorded later, for example by a price file, is newer. Absent in events of earlier versions: now",
  }),
});

/** Looks up price and stock of part numbers in the dealer inventory system. Called by other services only. */
export const disRouterContract = defineService({
  name: "dis-router",
  summary: "Price and stock from the dealer inventory system",
  actions: {
    inquire: {
      summary: "Look up price and stock of parts",
      description:
        "Returns the parts in the order given. A failure of the supplier is the `error` of a part, never of the " +
        "call. Answers younger than `maxAgeSeconds` are reused. If the supplier is away, the last known values of " +
        "up to an hour ago are returned, with `live` false, their age and the `error`. Parts without an answer " +
        "within `deadlineMs` are `timed_out`; a later answer is kept for the next call.",
      params: {
        parts: array(object(partParams), { min: 1, max: 1_000 }),
        maxAgeSeconds: integer({ min: 0, max: 3_600, default: 60, description: "Seconds; 0 always asks the supplier" }),
        deadlineMs: integer({ min: 1, max: 25_000, default: 8_000 }),
        announce: boolean({
          default: true,
          description: "Whether to announce the answers as `dealer.answered`; false if the caller stores them itself",
        }),
      },
      result: object({ parts: array(inquiredPartRule) }),
      errors: [],
      timeout: 30_000,
      idempotent: true,
    },

    health: {
      summary: "Report how the dealer inventory system answered the last request",
      description: "Reports the last request of this process; does not ask the supplier.",
      params: {},
      result: object({
        dis: object(
          {
            status: oneOf(["ok", "error", "unknown"], {
              description: "`unknown` before the first request",
            }),
            error: oneOf(DIS_ERRORS, { nullable: true }),
            askedAt: date({ nullable: true, description: "When the last request ended" }),
          },
          { nullable: true, description: "Null with DIS_URL=off" },
        ),
      }),
      errors: [],
      idempotent: true,
    },
  },

  channels: {
    "dealer.answered": {
      summary: "The dealer reported price and stock of parts. Sent at a limited rate",
      recorded: null,
      // A later group would learn old prices; seven days of a crawler's questions fill a disk.
      keptMs: 60 * 60 * 1000,
      payload: { parts: array(dealerWordRule) },
    },
  },
});
