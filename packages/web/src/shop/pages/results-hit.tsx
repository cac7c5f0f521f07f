import type { PartPreview, LiveStock } from "@partline/client";
import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { AddToCart } from "../parts/add-to-cart.tsx";
import { Picture } from "../parts/picture.tsx";
import { SupplyText, type Transit } from "../parts/supply.tsx";
import { useShop } from "../context.tsx";
import { Fact } from "../kit/fact.tsx";
import { Price } from "../kit/price.tsx";
import { Row } from "../kit/row.tsx";
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
  const { texts } = useShop();
  const { highlights, title, partNumber, manufacturer, price, currency, supersededBy, status } = part;
  const { interchangeOf, replaces } = part;
  return (
    <Row
      picture={<Picture url={part.imageUrl} alt="" name={title} isEarly={isEarly} />}
      href={`/parts/${part.slug}`}
      title={highlights.title === undefined ? title : <Highlighted text={highlights.title} />}
      note={
        <>
          {manufacturer.name} ·{" "}
          {highlights.partNumber === undefined ? partNumber : <Highlighted text={highlights.partNumber} />}
        </>
      }
      facts={[
        replaces !== undefined && <Fact>{fill(texts.insteadOf, { number: replaces })}</Fact>,
        interchangeOf && (
          <Fact>
            {fill(texts.insteadOf, { number: `${interchangeOf.manufacturer.name} ${interchangeOf.partNumber}` })}
          </Fact>
        ),
        supersededBy !== null && <Fact kind="warn">{fill(texts.replacedBy, { number: supersededBy })}</Fact>,
        supersededBy === null && status === "discontinued" && <Fact kind="warn">{texts.discontinued}</Fact>,
      ]}
      buy={
        <>
          <Price value={price} currency={currency} />
          <SupplyText stock={stock} availability={part.availability} transit={transit} />
          {price !== null && status === "active" && <AddToCart item={{ ...part, unitPrice: price }} />}
        </>
      }
    />
  );
}
