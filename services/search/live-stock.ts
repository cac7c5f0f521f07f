import type { Params } from "@partline/api-contracts";
import type { CallOrigin } from "@partline/moleculer-kit";
import { shopDays } from "../../mixins/shop/shop-days.ts";
import type { ShopFacts } from "../../mixins/shop/shop-facts.ts";
import { type Actions, call } from "../contracts.ts";
import { holdOfCart } from "../shared/commerce.ts";
import { type Inquired, toAvailability } from "./part-availability.ts";
import { listSupply } from "./supply.ts";

/** Share of the wait that is kept for the way of the answers. */
const MARGIN = 0.2;

/**
 * Returns price and stock of parts by their ids, with where the next pieces come from. The dealer is asked in one
 * request, for as long as the caller waits; an answer that is late is there for the next call.
 * @param mayAsk whether the dealer may be asked
 * @throws what the catalog throws
 */
export async function readLiveStock(
  origin: CallOrigin,
  { ids, waitMs, cartId, mayAsk }: Params<Actions["search.stock"]> & { mayAsk: boolean },
  shop: ShopFacts,
  onError: (what: string, error: unknown) => void,
) {
  const endsAt = performance.now() + waitMs * (1 - MARGIN);
  const hold = cartId && holdOfCart(cartId);
  const { parts } = await call(origin, "catalog.stocked", { ids, hold }, { timeout: waitMs });
  const queries = parts.map(({ manufacturer, partNumber }) => ({ vendor: manufacturer.code, partNumber }));
  const timeout = Math.max(1, Math.floor(endsAt - performance.now()));
  const inquiry = { parts: queries, deadlineMs: Math.max(1, Math.floor(timeout * (1 - MARGIN))) };
  const inquired: Inquired[] =
    queries.length === 0 || !mayAsk
      ? []
      : await call(origin, "dis-router.inquire", inquiry, { timeout }).then(
          (answer) => answer.parts,
          (error: unknown) => {
            onError("The supplier could not be asked for stock", error);
            return [];
          },
        );
  const now = new Date();
  return parts.map((part, index) => {
    const answer = toAvailability(part.partNumber, { known: part, inquired: inquired[index] });
    const { id, imageUrl = null, manufacturer } = part;
    const uncounted = part.uncounted && !inquired[index]?.found;
    const supply = listSupply({ ...part, ...answer, held: part.stock?.held, uncounted }, shop, shopDays(), now);
    return { ...answer, id, manufacturer: manufacturer.name, imageUrl, supply };
  });
}
