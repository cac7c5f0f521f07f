import type { PartPreview, LiveStock } from "@partline/client";
import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { AddToCart } from "../parts/add-to-cart.tsx";
import { Picture } from "../parts/picture.tsx";
import { SupplyText, type Transit } from "../parts/supply.tsx";
import { useShop } from "../context.tsx";
import { money } from "../../shared/numbers.ts";
import { Highlighted } from "../highlighted.tsx";

interface HitProps {
  part: PartPreview;
  stock: LiveStock | undefined;
  transit: Transit | undefined;
  /** The first pictures are what the page is waited for. */
  isEarly: boolean;
}

/** One result. */
export function Hit({ part, stock, transit, isEarly }: HitProps): ReactNode {
  const { texts, language } = useShop();
  const { highlights, title, partNumber, manufacturer, price, currency, supersededBy, status } = part;
  const { interchangeOf, replaces } = part;
  return (
    <li className="hit">
      <Picture url={part.imageUrl} alt="" isEarly={isEarly} />
      <div>
        <h2>
          <a href={`/parts/${part.slug}`}>
            {highlights.title === undefined ? title : <Highlighted text={highlights.title} />}
          </a>
        </h2>
        <p className="soft">
          {manufacturer.name} ·{" "}
          {highlights.partNumber === undefined ? partNumber : <Highlighted text={highlights.partNumber} />}
        </p>
        {replaces !== undefined && <p>{fill(texts.insteadOf, { number: replaces })}</p>}
        {interchangeOf && (
          <p>{fill(texts.insteadOf, { number: `${interchangeOf.manufacturer.name} ${interchangeOf.partNumber}` })}</p>
        )}
        {supersededBy !== null && <p>{fill(texts.replacedBy, { number: supersededBy })}</p>}
        {supersededBy === null && status === "discontinued" && <p>{texts.discontinued}</p>}
      </div>
      <div className="hit-buy">
        <strong className="number">{price === null ? texts.noPrice : money(price, currency, language)}</strong>
        <SupplyText stock={stock} availability={part.availability} transit={transit} />
        {price !== null && status === "active" && <AddToCart item={{ ...part, unitPrice: price }} />}
      </div>
    </li>
  );
}
