import type { DeskAction, PartResponse } from "@partline/client";
import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { usePartline, useShop } from "../context.tsx";
import { money } from "../../shared/numbers.ts";
import { onHand } from "../format.ts";
import { Stock } from "../kit/stock.tsx";
import { manualAddress } from "../manual-address.ts";
import { AddToCart, buyablePart } from "../parts/add-to-cart.tsx";

/** A part that an answer is about: price, stock, where it is drawn, and the way into the cart. */
export function PartCard({ part, actions }: { part: PartResponse; actions: readonly DeskAction[] }): ReactNode {
  const { texts, language } = useShop();
  const { part_number, description, schemas, quantity, pdf_link, price, in_stock, stock_quantity, store_link } = part;
  const address = store_link && new URL(store_link).pathname;
  const days = part.estimated_delivery?.match(/\d+/g)?.join("–");
  const stock = in_stock === null ? "unknown" : in_stock ? "in_stock" : "out_of_stock";
  return (
    <li className="desk-part">
      <h3>{address ? <a href={address}>{description}</a> : description}</h3>
      <p className="soft">
        {part_number}
        {quantity !== null && ` · ${fill(texts.quantityInMachine, { count: quantity })}`}
      </p>
      <p>
        <strong className="number">{price === null ? texts.noPrice : money(price, "usd", language)}</strong>{" "}
        <Stock value={stock}>{stock_quantity ? onHand(stock_quantity, texts) : texts[stock]}</Stock>{" "}
        {days !== undefined && <span className="soft small">{fill(texts.businessDays, { count: days })}</span>}
      </p>
      {pdf_link !== null && (
        <p>
          <a href={manualAddress(pdf_link, part_number)}>
            {schemas.length > 0 ? fill(texts.showInFigure, { figure: schemas[0]! }) : texts.manualPage}
            <span className="hidden">: {part_number}</span>
          </a>
        </p>
      )}
      <Buy part={part} actions={actions} address={address} />
    </li>
  );
}

interface BuyProps {
  part: PartResponse;
  actions: readonly DeskAction[];
  /** The address of the part's page in the shop. */
  address: string | undefined;
}

/** What the question asked for stands ready; any other part is looked up when it is wanted. */
function Buy({ part, actions, address }: BuyProps): ReactNode {
  const { texts } = useShop();
  const partline = usePartline();
  const { part_number: partNumber, price, available_for_purchase, description: title } = part;
  const action = actions.find(({ type, body }) => type === "add_to_cart" && body?.item?.partNumber === partNumber);
  if (action) {
    const { quantity, ...item } = action.body!.item!;
    return <AddToCart withQuantity count={quantity} item={item} />;
  }
  if (!available_for_purchase || price === null || address === undefined)
    return <p className="soft">{texts.cannotBuy}</p>;
  const id = decodeURIComponent(address.split("/").at(-1)!);
  const find = () => buyablePart(partline, id, { partNumber, title, unitPrice: price });
  return <AddToCart item={{ title, find }} />;
}
