import { toCents } from "@partline/parts-language";
import { getAt } from "@partline/toolkit";
import type { Place } from "@partline/toolkit/pure";
import { type Consignment, inOrder, type ShippingMethod, type ShippingRates } from "./port.ts";

const GRAMS = { kg: 1_000, lb: 453.59237 } as const;

/** Weights are in `weightUnit`, amounts in currency units. */
export interface ShippingTable {
  weightUnit: keyof typeof GRAMS;
  /** Weight of a piece whose own is unknown. */
  defaultWeight: number;
  /** The first that has the destination counts. */
  zones: ShippingZone[];
}

interface ShippingZone {
  name: string;
  /** ISO 3166 codes; `*` is every country. */
  countries: string[];
  /** Restricts the zone to these states, and to postal codes with these prefixes. */
  regions?: string[];
  postalCodes?: string[];
  methods: TableMethod[];
}

interface TableMethod {
  provider: string;
  serviceType: string;
  estimatedDays: number;
  by: "weight" | "total";
  /** Steps by ascending `upTo`, which only the last may omit. The method is not offered beyond the last step. */
  steps: ShippingStep[];
  /** Free from this total of the items on. */
  freeFrom?: number;
  /** True if the method takes dangerous goods; `oversize`: parts larger than parcel services take. */
  hazmat?: boolean;
  oversize?: boolean;
}

interface ShippingStep {
  upTo?: number;
  cost: number;
  /** Added for each unit (of weight or currency), also one begun, above the step before. */
  perUnit?: number;
}

/** Zones by distance, ground by weight and free above an amount, air faster, freight for what parcels do not take. */
export const DEFAULT_TABLE: ShippingTable = {
  weightUnit: "kg",
  defaultWeight: 1,
  zones: [
    {
      name: "Alaska, Hawaii, territories and military mail",
      countries: ["US"],
      regions: ["AK", "HI", "PR", "GU", "VI", "AS", "MP", "AA", "AE", "AP"],
      postalCodes: ["995", "996", "997", "998", "999", "967", "968", "006", "007", "008", "009", "969", "962", "963"],
      methods: [ground(10, [14.95, 24.95, 44.95, 89.95], 3.5), freight(21, 349, 2.5)],
    },
    {
      name: "United States",
      countries: ["US"],
      methods: [
        ground(5, [7.95, 11.95, 17.95, 34.95], 1.5, 150),
        air(2, [24.95, 39.95, 69.95, 149.95]),
        freight(9, 149, 1),
      ],
    },
    {
      name: "Canada",
      countries: ["CA"],
      methods: [
        ground(8, [14.95, 21.95, 34.95, 69.95], 3, 300),
        air(4, [44.95, 69.95, 119.95, 249.95]),
        freight(14, 249, 1.5),
      ],
    },
    {
      name: "Elsewhere",
      countries: ["*"],
      methods: [ground(15, [39.95, 69.95, 129.95, 299.95], 10), air(6, [79.95, 129.95, 229.95, 499.95])],
    },
  ],
};

/** Costs up to 1, 5, 10 and 30 kg, and of each kilogram above. */
function ground(estimatedDays: number, costs: number[], perUnit: number, freeFrom?: number): TableMethod {
  const steps = [...upTo30(costs), { cost: getAt(costs, -1), perUnit }];
  const free = freeFrom === undefined ? {} : { freeFrom };
  return { provider: "standard", serviceType: "ground", estimatedDays, by: "weight", steps, ...free, hazmat: true };
}

function air(estimatedDays: number, costs: number[]): TableMethod {
  return { provider: "express", serviceType: "air", estimatedDays, by: "weight", steps: upTo30(costs) };
}

function upTo30(costs: number[]): ShippingStep[] {
  return [1, 5, 10, 30].map((upTo, index) => ({ upTo, cost: getAt(costs, index) }));
}

/** A cost up to 100 kg, and of each kilogram above. */
function freight(estimatedDays: number, cost: number, perUnit: number): TableMethod {
  const steps = [
    { upTo: 100, cost },
    { cost, perUnit },
  ];
  return { provider: "freight", serviceType: "ltl", estimatedDays, by: "weight", steps, hazmat: true, oversize: true };
}

const WHY = {
  zone_missing: "has no zone for all of a country (SHIP_TO)",
  zone_unreached: "is never reached: a zone before it has all of its countries",
  methods_end:
    "has a gap: beyond the last step of each method nothing is offered, so that one needs a last step without upTo",
  method_twice: "is that of another method of the zone, of the same provider",
  bound_missing: "is missing, and the step is not the last",
  bound_low: "is not above that of the step before",
} as const;

interface Flaw {
  /** `zones[0].methods[1]`. */
  field: string;
  code: keyof typeof WHY;
  /** Goes on after the field. */
  why: string;
}

const createFlaw = (code: Flaw["code"], field: string): Flaw => ({ code, field, why: WHY[code] });

/** Returns what is wrong with a table beyond its form. */
export function findFlaws({ zones }: ShippingTable, shipTo: readonly string[]): Flaw[] {
  const isCovered = (country: string, zonesBefore: readonly ShippingZone[]): boolean =>
    zonesBefore.some((zone) => isWhole(zone) && zone.countries.some((code) => code === country || code === "*"));
  const uncoveredCountries = shipTo.filter((country) => !isCovered(country, zones));
  return [
    ...(uncoveredCountries.length === 0
      ? []
      : [
          {
            ...createFlaw("zone_missing", "zones"),
            why: `has no zone for all of ${uncoveredCountries.join(", ")} (SHIP_TO)`,
          },
        ]),
    ...zones.flatMap((zone, index) => [
      ...(zone.countries.every((country) => isCovered(country, zones.slice(0, index)))
        ? [createFlaw("zone_unreached", `zones[${index}].countries`)]
        : []),
      ...findZoneFlaws(zone, `zones[${index}].methods`),
    ]),
  ];
}

function isWhole({ regions, postalCodes }: ShippingZone): boolean {
  return regions === undefined && postalCodes === undefined;
}

function findZoneFlaws({ methods }: ShippingZone, field: string): Flaw[] {
  const names = methods.map(({ provider, serviceType }) => `${provider} ${serviceType}`);
  return [
    ...(methods.some(({ steps }) => getAt(steps, -1).upTo === undefined) ? [] : [createFlaw("methods_end", field)]),
    ...names.flatMap((name, index) =>
      names.indexOf(name) === index ? [] : [createFlaw("method_twice", `${field}[${index}].serviceType`)],
    ),
    ...methods.flatMap(({ steps }, method) =>
      steps.flatMap(({ upTo }, index): Flaw[] => {
        const bound = `${field}[${method}].steps[${index}].upTo`;
        if (upTo === undefined) return index < steps.length - 1 ? [createFlaw("bound_missing", bound)] : [];
        const isAbove = index === 0 || upTo > (getAt(steps, index - 1).upTo ?? Infinity);
        return isAbove ? [] : [createFlaw("bound_low", bound)];
      }),
    ),
  ];
}

/** Returns the weight of a piece whose own is unknown. */
export function defaultGrams({ defaultWeight, weightUnit }: ShippingTable): number {
  return Math.round(defaultWeight * GRAMS[weightUnit]);
}

/** Rates by the table that is in force when somebody asks. */
export function createTableRates(getTable: () => ShippingTable): ShippingRates {
  function computeCost(
    { by: basis, steps, freeFrom }: TableMethod,
    { weightGrams, subtotal }: Consignment,
  ): number | undefined {
    const unit = { weight: GRAMS[getTable().weightUnit], total: toCents(1) }[basis];
    const value = basis === "weight" ? weightGrams : subtotal;
    // In whole grams and cents: 2.2 kg are one kilogram above 1.2 kg, not a little more.
    const bounds = steps.map(({ upTo = Infinity }) => Math.round(upTo * unit));
    const stepIndex = bounds.findIndex((bound) => value <= bound);
    const step = steps[stepIndex];
    if (!step) return undefined;
    if (freeFrom !== undefined && subtotal >= toCents(freeFrom)) return 0;
    const above = Math.ceil((value - (bounds[stepIndex - 1] ?? 0)) / unit);
    return toCents(step.cost) + toCents(step.perUnit ?? 0) * above;
  }

  const zoneAt = (destination: Place): ShippingZone | undefined =>
    getTable().zones.find((zone) => has(zone, destination));

  return {
    zoneOf: (destination) => zoneAt(destination)?.name,

    async methods(consignment, destination) {
      const offered = (zoneAt(destination)?.methods ?? []).flatMap((method): ShippingMethod[] => {
        if ((consignment.hazmat && !method.hazmat) || (consignment.oversize && !method.oversize)) return [];
        const cost = computeCost(method, consignment);
        const { provider, serviceType, estimatedDays } = method;
        return cost === undefined ? [] : [{ provider, serviceType, cost, estimatedDays }];
      });
      return inOrder(offered);
    },
  };
}

function has(zone: ShippingZone, { country, state = "", postalCode = "" }: Place): boolean {
  if (!zone.countries.includes(country) && !zone.countries.includes("*")) return false;
  if (isWhole(zone)) return true;
  const isRegion = zone.regions?.includes(state) ?? false;
  return isRegion || (zone.postalCodes?.some((prefix) => postalCode.startsWith(prefix)) ?? false);
}
