export interface ShippingRate {
  provider: string;
  serviceType: string;
  /** Decimal currency units. */
  cost: number;
  estimatedDays: number;
}

export function parseShippingRates(value: unknown): ShippingRate[] {
  if (!Array.isArray(value)) throw new Error("is not a list");
  return value.map((rate: Partial<Record<keyof ShippingRate, unknown>>) => {
    const { provider, serviceType, cost, estimatedDays } = rate;
    if (
      typeof provider !== "string" ||
      typeof serviceType !== "string" ||
      typeof cost !== "number" ||
      typeof estimatedDays !== "number"
    ) {
      throw new Error("has an entry that is not { provider, serviceType, cost, estimatedDays }");
    }
    return { provider, serviceType, cost, estimatedDays };
  });
}
