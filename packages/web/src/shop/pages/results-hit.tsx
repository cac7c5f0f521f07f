import type { PartPreview, LiveStock } from "@partline/client";
import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { CompareBox } from "../compare/compare.tsx";
import { AddToCart } from "../parts/add-to-cart.tsx";
import { Picture } from "../parts/picture.tsx";
import { SupplyText, type Transit } from "../parts/supply.tsx";
import { useShop } from "../context.tsx";
import { Fact } from "../kit/fact.tsx";
import { Price } from "../kit/price.tsx";
import { Row } from "../kit/row.tsx";
import { Highlighted } from "../highlighted.tsx";

const SHOWN_FITS = 2;

interface HitProps {
  part: PartPreview;
  stock: LiveStock | undefined;
  transit: Transit | undefined;
  /** The shopper's machine, if it fits that. */
  fitting: string | undefined;
  /** The first pictures are what the page is waited for. */
  isEarly: boolean;
}

/** One result. */
export function Hit({ part, stock, transit, fitting, isEarly }: HitProps): ReactNode {
  const { texts } = useShop();
  const { highlights, title, partNumber, manufacturer, price, currency, supersededBy, status } = part;
  const { interchangeOf, replaces, oversize, hazmat } = part;
  const fits = (part.fits ?? []).filter((name) => name !== fitting);
  return (
    <Row
      picture={<Picture url={part.imageUrl} alt="" name={title} isEarly={isEarly} />}
      href={`/parts/${part.slug}`}
      title={title}
      note={
        <>
          {manufacturer.name} ·{" "}
          <span className="number hit-number">
            {highlights.partNumber === undefined ? partNumber : <Highlighted text={highlights.partNumber} />}
          </span>
        </>
      }
      facts={[
        fitting !== undefined && <Fact kind="good">{fill(texts.fitsName, { name: fitting })}</Fact>,
        replaces !== undefined && <Fact>{fill(texts.insteadOf, { number: replaces })}</Fact>,
        interchangeOf && (
          <Fact>
            {fill(texts.insteadOf, { number: `${interchangeOf.manufacturer.name} ${interchangeOf.partNumber}` })}
          </Fact>
        ),
        supersededBy !== null && <Fact kind="warn">{fill(texts.replacedBy, { number: supersededBy })}</Fact>,
        supersededBy === null && status === "discontinued" && <Fact kind="warn">{texts.discontinued}</Fact>,
        fits.length > 0 && (
          <Fact>
            {fill(texts.fitsName, { name: fits.slice(0, SHOWN_FITS).join(", ") })}
            {fits.length > SHOWN_FITS && ` ${fill(texts.fitsMore, { count: fits.length - SHOWN_FITS })}`}
          </Fact>
        ),
        oversize && <Fact>{texts.oversize}</Fact>,
        hazmat && <Fact>{texts.hazmat}</Fact>,
      ]}
      buy={
        <>
          <div className="hit-offer">
            <Price value={price} currency={currency} />
            <SupplyText stock={stock} availability={part.availability} transit={transit} />
          </div>
          <div className="hit-acts">
            {price !== null && status === "active" && <AddToCart item={{ ...part, unitPrice: price }} />}
            <CompareBox part={part} />
          </div>
        </>
      }
    />
  );
}
