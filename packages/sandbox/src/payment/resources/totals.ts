/** Parts of a session's total, in cents. */
export type Totals = ReturnType<typeof computeTotals>;

/** Sales tax in hundredths of a per cent, by US state: the states' own rates, without those of counties and cities. */
const STATE_TAX: Record<string, number> = {
  AL: 400,
  AR: 650,
  AZ: 560,
  CA: 725,
  CO: 290,
  CT: 635,
  DC: 600,
  FL: 600,
  GA: 400,
  HI: 400,
  IA: 600,
  ID: 600,
  IL: 625,
  IN: 700,
  KS: 650,
  KY: 600,
  LA: 500,
  MA: 625,
  MD: 600,
  ME: 550,
  MI: 600,
  MN: 688,
  MO: 423,
  MS: 700,
  NC: 475,
  ND: 500,
  NE: 550,
  NJ: 663,
  NM: 488,
  NV: 685,
  NY: 400,
  OH: 575,
  OK: 450,
  PA: 600,
  RI: 700,
  SC: 600,
  SD: 420,
  TN: 700,
  TX: 625,
  UT: 485,
  VA: 430,
  VT: 600,
  WA: 650,
  WI: 500,
  WV: 600,
  WY: 400,
};

const UNTAXED_STATES = "AA AE AK AP AS DE GU MP MT NH OR PR VI".split(" ");

/** The tax rate at an address, in hundredths of a per cent; undefined while the address does not say enough to know. */
export function taxRateAt(
  address: { country: string | null; state: string | null } | null | undefined,
): number | undefined {
  if (!address?.country) return undefined;
  if (address.country !== "US") return 0;
  const state = address.state?.toUpperCase() ?? "";
  return UNTAXED_STATES.includes(state) ? 0 : STATE_TAX[state];
}

/**
 * Adds up a session. Rates are in hundredths of a per cent; tax is of each line after its discount, on top of it or
 * included, rounded half up per line; shipping is neither taxed nor discounted.
 */
export function computeTotals(
  sold: readonly { amount: number; isInclusive: boolean }[],
  shipping: number,
  rates: { tax: number; discount: number },
) {
  const lines = sold.map(({ amount: subtotal, isInclusive }) => {
    const discount = share(subtotal, rates.discount);
    const paid = subtotal - discount;
    const tax = isInclusive ? Math.round((paid * rates.tax) / (10_000 + rates.tax)) : share(paid, rates.tax);
    return { subtotal, discount, tax, total: isInclusive ? paid : paid + tax };
  });
  const sum = (pick: (line: (typeof lines)[number]) => number) => lines.reduce((total, line) => total + pick(line), 0);
  return {
    lines,
    subtotal: sum((line) => line.subtotal),
    discount: sum((line) => line.discount),
    tax: sum((line) => line.tax),
    shipping,
    total: sum((line) => line.total) + shipping,
  };
}

function share(cents: number, rate: number): number {
  return Math.floor((cents * rate + 5_000) / 10_000);
}
