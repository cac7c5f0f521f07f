import { centsRule } from "../shared/commerce.ts";
import { defineService } from "../../broker/contract/define.ts";
import { array, boolean, date, integer, object, oneOf, rules, string } from "../../broker/contract/rules.ts";
import { HIGHEST_PRICE } from "@partline/parts-language";
import { DIS_ERRORS } from "../shared/dis-errors.ts";

const partParams = rules({
  vendor: string({ min: 2, max: 10, description: "Vendor code, in any case", example: "BNS" }),
  partNumber: string({
    min: 1,
    max: 100,
    pattern: /\S/,
    words: "text, not spaces alone",
    description: "As the supplier writes it",
    example: "15964-8141",
  }),
});

export const inquiredPartRule = object({
  ...partParams,
  found: boolean({
    nullable: true,
    description:
      "Whether the supplier's answer has the part. Null when that is not known: there is an `error`, and no earlier answer",
  }),
  price: {
    ...centsRule,
    nullable: true,
    description: "Null if it is not found, unknown, or without a price at the supplier",
  },
  available: boolean({ nullable: true, description: "As the supplier reports it, regardless of the quantity" }),
  quantity: integer({ nullable: true, description: "On hand, from 0" }),
  live: boolean({ description: "The supplier was asked now, during this call" }),
  saidAt: date({ nullable: true, description: "When the supplier reported it; null if it has not" }),
  ageSeconds: integer({ nullable: true, description: "How long ago that was" }),
  error: oneOf(DIS_ERRORS, {
    nullable: true,
    description:
      "Why the supplier's word of now is missing; with a value beside it, that value is the last one known, of `ageSeconds` ago",
  }),
});

const dealerWordRule = object({
  vendor: string({ description: "Code in upper case" }),
  partNumber: string(),
  found: boolean({ description: "False if the dealer does not have the part; its stock is then unknown" }),
  price: { ...centsRule, min: 1, max: HIGHEST_PRICE, nullable: true, description: "Null is no word on it" },
  quantity: integer({ min: 0, nullable: true, description: "Stock on hand; null if unknown" }),
  available: boolean({ nullable: true }),
  saidAt: string({
    optional: true,
    description:
      "ISO 8601. Data recorded since then, by a price file for example, is newer. Default, for earlier versions: now",
  }),
});

/** The dealer inventory system: price and stock of given part numbers. Called by other services only. */
export const disRouterContract = defineService({
  name: "dis-router",
  summary: "Price and stock from the dealer inventory system",
  actions: {
    inquire: {
      summary: "Ask for price and stock of parts",
      description:
        "Answers for each part, in the order given, and never fails because the supplier does: `error` says per part what " +
        "failed. A part that was asked about less than `maxAgeSeconds` ago is not asked about again. A supplier that is away gives the last " +
        "values known of up to an hour ago, which say so (`live` false, their age and the `error`). What is not answered within " +
        "`deadlineMs` is `timed_out`; an answer that comes later is kept for the next call.",
      params: {
        parts: array(object(partParams), { min: 1, max: 1_000 }),
        maxAgeSeconds: integer({ min: 0, max: 3_600, default: 60, description: "0 asks in any case" }),
        deadlineMs: integer({ min: 1, max: 25_000, default: 8_000 }),
        announce: boolean({
          default: true,
          description: "Whether `dealer.answered` announces the answers; false for a caller that stores them itself",
        }),
      },
      result: object({ parts: array(inquiredPartRule) }),
      errors: [],
      timeout: 30_000,
      idempotent: true,
    },

    health: {
      summary: "Report how the dealer inventory system answered the last request",
      description: "Reports what requests of the shop met in this process; the probe itself does not ask the supplier.",
      params: {},
      result: object({
        dis: object(
          {
            status: oneOf(["ok", "error", "unknown"], {
              description: "`unknown` until it was asked for the first time",
            }),
            error: oneOf(DIS_ERRORS, { nullable: true }),
            askedAt: date({ nullable: true, description: "When it last answered or failed to" }),
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
      summary: "The dealer answered with price and stock of parts; rates are limited by announcer.ts",
      recorded: null,
      // A later group would learn old prices; seven days of a crawler's questions fill a disk.
      keptMs: 60 * 60 * 1000,
      payload: { parts: array(dealerWordRule) },
    },
  },
});
