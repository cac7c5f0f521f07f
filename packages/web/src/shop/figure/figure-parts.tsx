import type { FigurePart, LiveStock } from "@partline/client";
import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { usePartline, useShop } from "../context.tsx";
import { money } from "../../shared/numbers.ts";
import { AddFigure } from "./add-figure.tsx";
import { AddToCart, buyablePart } from "../parts/add-to-cart.tsx";
import { StockNote, SupplyText, useTransit, type Transit } from "../parts/supply.tsx";

export type ListedPart = Omit<FigurePart, "equipment" | "page" | "pdf_link">;

interface FigurePartsProps {
  parts: readonly ListedPart[];
  stock: readonly LiveStock[];
  chosen: string | undefined;
  /** The number that a pointer is over, here or in a drawing. */
  pointedAt: string | undefined;
  onPoint: (reference: string | undefined) => void;
  /** Numbers that are in a drawing. */
  drawn: ReadonlySet<string>;
  onChoose: (reference: string) => void;
}

/** The parts beside the drawing: all that the drawing offers, by keyboard too. */
export function FigureParts(list: FigurePartsProps): ReactNode {
  const { parts, stock, chosen, pointedAt, onPoint, drawn, onChoose } = list;
  const { texts } = useShop();
  const transit = useTransit();
  return (
    <section aria-label={texts.partsOfFigure}>
      <h2>{texts.partsOfFigure}</h2>
      <AddFigure parts={parts} />
      <StockNote
        stock={parts.flatMap(({ partId }) => (partId === null ? [] : [stock.find(({ id }) => id === partId)]))}
      />
      <ol className="lines">
        {parts.map((part, index) => {
          const { reference } = part;
          const isChosen = reference !== null && reference === chosen;
          return (
            <li
              key={`${reference} ${part.partNumber} ${index}`}
              tabIndex={-1}
              data-reference={reference}
              aria-current={isChosen ? "true" : undefined}
              className={reference !== null && reference === pointedAt ? "figure-part pointed" : "figure-part"}
              onPointerEnter={() => onPoint(reference ?? undefined)}
              onPointerLeave={() => onPoint(undefined)}
            >
              {reference !== null &&
                (drawn.has(reference) ? (
                  <button
                    aria-pressed={isChosen}
                    aria-label={fill(texts.showInDrawing, { reference })}
                    onClick={() => onChoose(reference)}
                  >
                    {reference}
                  </button>
                ) : (
                  <span className="reference">{reference}</span>
                ))}
              <PartRow part={part} stock={stock.find(({ id }) => id === part.partId)} transit={transit} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

interface PartRowProps {
  part: ListedPart;
  stock: LiveStock | undefined;
  transit: Transit | undefined;
}

function PartRow({ part, stock, transit }: PartRowProps): ReactNode {
  const { texts, language } = useShop();
  const partline = usePartline();
  const { partId, partNumber, title, description, quantity, price, availability, replacedBy } = part;
  const name = title ?? description ?? partNumber ?? "";
  return (
    <div>
      {partId === null ? name : <a href={`/parts/${encodeURIComponent(partId)}`}>{name}</a>}
      <div className="soft">
        {partNumber} {quantity !== null && `· ${fill(texts.quantityInMachine, { count: quantity })}`}
      </div>
      {replacedBy !== null && <div>{fill(texts.suppliedInstead, { number: replacedBy })}</div>}
      {partId === null && (
        <div className="soft">
          {texts.notInCatalog}
          {partNumber !== null && (
            <span className="no-print">
              {" · "}
              <a href={`/desk?${new URLSearchParams({ q: partNumber }).toString()}`}>
                {texts.deskAskIt}
                <span className="hidden">: {partNumber}</span>
              </a>
            </span>
          )}
        </div>
      )}
      {price !== null && <strong className="number figure-price">{money(price, "usd", language)}</strong>}
      {availability !== null && <SupplyText {...{ stock, availability, transit }} quantity={quantity ?? 1} />}
      {partId !== null && partNumber !== null && price !== null && (
        <AddToCart
          item={{
            title: name,
            find: () => buyablePart(partline, partId, { partNumber, title: name, unitPrice: price }),
          }}
          count={quantity ?? 1}
        />
      )}
    </div>
  );
}
