import { array, boolean, number, object, oneOf, rules, string } from "@partline/api-contracts";

/** Decimal currency units. */
export const amountRule = number({ money: "units", min: 0, max: 9_999.99 });
export const rateFields = rules({
  provider: string({ min: 1, max: 50 }),
  serviceType: string({ min: 1, max: 50 }),
  estimatedDays: number({ min: 0, max: 365 }),
});
const createCodesRule = (pattern: RegExp, words: string) => array(string({ pattern, words }), { min: 1 });
const bound = number({ min: 0.001, max: 1_000_000, optional: true });

/** Fields of a table of shipping costs. */
export const shippingTableFields = rules({
  weightUnit: oneOf(["kg", "lb"]),
  defaultWeight: number({ min: 0.001, max: 10_000 }),
  zones: array(
    object({
      name: string({ min: 1, max: 100 }),
      countries: createCodesRule(/^([A-Z]{2}|\*)$/, "an ISO 3166 code in upper case, or *"),
      regions: { ...createCodesRule(/^[A-Z0-9]{1,3}$/, "a state's code in upper case"), optional: true },
      postalCodes: { ...createCodesRule(/^[A-Z0-9]{1,10}$/, "the beginning of postal codes"), optional: true },
      methods: array(
        object({
          ...rateFields,
          by: oneOf(["weight", "total"]),
          steps: array(object({ upTo: bound, cost: amountRule, perUnit: { ...amountRule, optional: true } }), {
            min: 1,
          }),
          freeFrom: number({ money: "units", min: 0, max: 999_999.99, optional: true }),
          hazmat: boolean({ optional: true }),
          oversize: boolean({ optional: true }),
        }),
        { min: 1 },
      ),
    }),
    {
      min: 1,
      example: [
        {
          name: "Everywhere",
          countries: ["*"],
          methods: [
            { provider: "post", serviceType: "parcel", estimatedDays: 4, by: "weight", steps: [{ cost: 9.95 }] },
          ],
        },
      ],
    },
  ),
});
