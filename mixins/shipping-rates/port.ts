import type { Cents } from "@partline/parts-language";
import type { Place } from "@partline/toolkit/pure";

export interface Consignment {
  weightGrams: number;
  subtotal: Cents;
  /** A piece of it is dangerous goods. */
  hazmat: boolean;
  /** A piece of it is larger than parcel services take. */
  oversize: boolean;
}

export interface ShippingMethod {
  provider: string;
  serviceType: string;
  cost: Cents;
  estimatedDays?: number;
}

/** Maximum shipping cost of a checkout: 9,999.99. */
const HIGHEST_COST: Cents = 999_999;

export interface ShippingRates {
  /**
   * Returns the methods that take all of a consignment there, the cheapest first; none if nothing does.
   * @throws PROVIDER_ERROR or TIMEOUT if the provider is away
   */
  methods(consignment: Consignment, destination: Place): Promise<ShippingMethod[]>;
  /** Returns the name of what a place is part of; undefined if too little of the place is known for a rate. */
  zoneOf(destination: Place): string | undefined;
}

/** Returns methods in their order in an answer, without those that cost more than a checkout takes. */
export function inOrder(methods: readonly ShippingMethod[]): ShippingMethod[] {
  return methods
    .filter(({ cost }) => cost <= HIGHEST_COST)
    .sort((a, b) => a.cost - b.cost || (a.estimatedDays ?? Infinity) - (b.estimatedDays ?? Infinity));
}
