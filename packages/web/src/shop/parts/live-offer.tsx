import type { LiveStock, WholePart } from "@partline/client";
import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { money } from "../../shared/numbers.ts";
import { age, onHand } from "../format.ts";
import { Icon } from "../kit/icon.tsx";
import { RETURN } from "../kit/icons/ui.ts";
import { Price } from "../kit/price.tsx";
import type { Texts } from "../texts/en.ts";
import { AddToCart } from "./add-to-cart.tsx";
import { Availability } from "./availability.tsx";
import { isUnconfirmed, SupplyText, useTransit } from "./supply.tsx";
import { useLiveStock } from "./use-live-stock.ts";

/** Price and stock: first the catalog's, then what the supplier says now. */
export function LiveOffer({ part }: { part: WholePart }): ReactNode {
  const { texts, language, facts, policies } = useShop();
  const { stock, isAsked } = useLiveStock([part.id]);
  const live: Live = stock.get(part.id) ?? (isAsked ? undefined : "failed");
  const transit = useTransit();
  const listed = part.price?.list;
  const price = (live === "failed" ? undefined : live?.price) ?? listed?.value;
  const availability = (live === "failed" ? undefined : live?.availability) ?? part.availability;
  const currency = listed?.currency ?? "usd";
  const returnsText = fill(texts.returnsWithin, { days: facts.returns.days });
  const successor = part.supersession.supersededBy.at(-1);
  return (
    <div className="offer">
      <Price value={price ?? null} currency={currency} size="big" />
      {listed && price !== undefined && price !== listed.value && (
        <p role="status">{fill(texts.priceNow, { price: money(price, currency, language) })}</p>
      )}
      <p className="stock" aria-live="polite">
        {typeof live === "object" ? (
          <SupplyText stock={live} availability={availability} transit={transit} isCounted />
        ) : (
          <Availability value={availability} />
        )}{" "}
        <StockWords part={part} live={live} />
      </p>
      {part.status === "discontinued" || price === undefined ? (
        <p>
          {successor ? (
            <a className="button primary" href={`/parts/${encodeURIComponent(successor.id)}`}>
              {texts.buySuccessor}
            </a>
          ) : (
            texts.cannotBuy
          )}
        </p>
      ) : (
        <AddToCart
          withQuantity
          item={{
            productId: part.id,
            partNumber: part.partNumber,
            title: part.title,
            unitPrice: price,
            manufacturer: part.manufacturer.name,
            imageUrl: part.media?.images?.[0]?.url ?? null,
            availability,
          }}
        />
      )}
      {facts.returns.days > 0 && (
        <p className="offer-returns soft small">
          <Icon path={RETURN} size="small" />
          {policies.includes("returns") ? <a href="/policies/returns">{returnsText}</a> : returnsText}
        </p>
      )}
    </div>
  );
}

type Live = LiveStock | "failed" | undefined;

function StockWords({ part, live }: { part: WholePart; live: Live }): ReactNode {
  const { texts } = useShop();
  if (live === undefined) return <span className="soft">{texts.stockAsking}</span>;
  const { quantityOnHand, held: reserved = 0 } = part.stock ?? {};
  const left = quantityOnHand === undefined ? undefined : Math.max(0, quantityOnHand - reserved);
  const isCounted = typeof live === "object" && live.supply.some(({ pieces }) => pieces !== null);
  const pieces = live === "failed" ? left : isCounted ? null : live.stock;
  // That there are none, the words before say.
  const words = [...(pieces ? [`${onHand(pieces, texts)}.`] : []), ...describeSource(live, texts)];
  return <span className="soft">{words.join(" ")}</span>;
}

/** Says how new a supplier's word is. The shop's own count needs none. */
function describeSource(live: Exclude<Live, undefined>, texts: Texts): string[] {
  if (live === "failed") return [texts.stockNotLive];
  if (live.own !== undefined && live.supply.every(({ from }) => from !== "dealer")) return [];
  if (live.live) return [texts.stockLive];
  if (live.ageSeconds !== null) return [fill(texts.stockAge, { age: age(live.ageSeconds, texts) })];
  return isUnconfirmed(live) ? [texts.stockNotLive] : [];
}
