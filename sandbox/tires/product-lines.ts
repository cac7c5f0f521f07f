export const TIRE_BRANDS = ["Carlisle", "Kenda", "Deestone", "Titan", "BKT", "Hi-Run"] as const;

export const MACHINES = [
  "zero-turn mower",
  "garden tractor",
  "golf cart",
  "utility trailer",
  "wheelbarrow",
  "ATV",
] as const;

export const TIRE_SIZES = [
  "11x4.00-5",
  "13x5.00-6",
  "15x6.00-6",
  "16x6.50-8",
  "18x8.50-8",
  "18x9.50-8",
  "20x8.00-8",
  "20x10.00-8",
  "23x8.50-12",
  "23x10.50-12",
  "24x12.00-12",
  "26x12.00-12",
  "4.10/3.50-4",
  "4.80/4.00-8",
  "5.70-8",
  "205/65-10",
  "ST175/80R13",
  "ST205/75R14",
  "ST225/75R15",
] as const;

/** A kind of tire or wheel: `price` is its lowest and highest in cents. */
export interface TireLine {
  name: string;
  category: "Tires" | "Wheels";
  price: readonly [number, number];
  variants: readonly string[];
}

export const TIRE_LINES: readonly TireLine[] = [
  {
    name: "Turf Tire",
    category: "Tires",
    price: [2_900, 18_900],
    variants: ["Turf Saver", "Turf Master", "Multi Trac", "Turf Trac"],
  },
  { name: "Lug Tire", category: "Tires", price: [3_900, 24_900], variants: ["Super Lug", "AT101", "Tru Power"] },
  {
    name: "Trailer Tire",
    category: "Tires",
    price: [4_900, 21_900],
    variants: ["Load Range C", "Load Range D", "Sport Trail"],
  },
  { name: "Rib Tire", category: "Tires", price: [1_900, 8_900], variants: ["Straight Rib", "Smooth"] },
  {
    name: "Wheel",
    category: "Wheels",
    price: [2_400, 14_900],
    variants: ["4 Hole White", "5 Hole Galvanized", "Silver", "Mini Mod"],
  },
  {
    name: "Tire and Wheel Assembly",
    category: "Wheels",
    price: [4_900, 28_900],
    variants: ["Turf", "Rib", "Flat Free"],
  },
];
