/** A bearing, belt or chain as Harrow Supply lists it. */
export interface HarrowItem {
  sku: string;
  name: string;
  maker: string;
  department: string;
  /** Decimal text; null where the price is on request. */
  unit_price: string | null;
  currency: "usd";
  on_hand: number;
  pictures: string[];
  state: "live" | "retired";
}

const LINES = [
  {
    prefix: "BRG",
    maker: "Northfield",
    department: "Bearings",
    name: (n: number) => `Flange Bearing ${n} mm bore`,
    cents: 1_150,
  },
  {
    prefix: "VBT",
    maker: "Gripline",
    department: "Belts",
    name: (n: number) => `V-Belt B section ${n} in`,
    cents: 1_425,
  },
  {
    prefix: "RCH",
    maker: "Linkwell",
    department: "Chains",
    name: (n: number) => `Roller Chain No. ${n}, 10 ft`,
    cents: 2_890,
  },
  { prefix: "SPK", maker: "Linkwell", department: "Sprockets", name: (n: number) => `Sprocket ${n} teeth`, cents: 975 },
] as const;
const PER_LINE = 60;

/** What it lists, always the same. */
export const HARROW_ITEMS: readonly HarrowItem[] = LINES.flatMap(({ prefix, maker, department, name, cents }, line) =>
  Array.from({ length: PER_LINE }, (_, index): HarrowItem => {
    const at = line * PER_LINE + index;
    return {
      sku: `${prefix}-${1_000 + index * 7}`,
      name: name(12 + index),
      maker,
      department,
      unit_price: at % 40 === 39 ? null : ((cents + index * 37) / 100).toFixed(2),
      currency: "usd",
      on_hand: (at * 13) % 30,
      pictures: [],
      state: at % 50 === 49 ? "retired" : "live",
    };
  }),
);
