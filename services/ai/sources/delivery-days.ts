import type { Settings } from "../../../broker/settings.ts";
import { toCents } from "@partline/parts-language";
import { createTableRates, defaultGrams } from "../../../mixins/shipping-rates/table.ts";
import { getShippingTable } from "../../shared/shipping-costs.ts";
import type { Offer } from "@partline/parts-desk";

interface SentPart {
  weightGrams?: number;
  hazmat?: boolean;
  oversize?: boolean;
}

/**
 * Says how long one piece takes to the first country that is shipped to, by the table of shipping costs; unknown with
 * carriers, which are not asked for each part of an answer.
 */
export function createDeliveryDays(settings: Pick<Settings, "shipping" | "shop">) {
  const { shipTo, easyPost } = settings.shipping;
  const getTable = () => getShippingTable(settings);
  const rates = createTableRates(getTable);
  return async (part: SentPart, price: number | null): Promise<Offer["deliveryDays"]> => {
    if (easyPost) return undefined;
    const { weightGrams = defaultGrams(getTable()), hazmat = false, oversize = false } = part;
    const consignment = { weightGrams, subtotal: toCents(price ?? 0), hazmat, oversize };
    const days = (await rates.methods(consignment, { country: shipTo[0]! })).flatMap(
      ({ estimatedDays }) => estimatedDays ?? [],
    );
    return days[0] === undefined ? undefined : [Math.min(...days), days[0]];
  };
}
