import type { DeskAction, LiveStock, PartResponse } from "@partline/client";
import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { usePartline, useShop } from "../context.tsx";
import { Price } from "../kit/price.tsx";
import { manualAddress } from "../manual-address.ts";
import { AddToCart, buyablePart } from "../parts/add-to-cart.tsx";
import { SupplyText, useTransit } from "../parts/supply.tsx";

interface PartCardProps {
  part: PartResponse;
  actions: readonly DeskAction[];
  /** What the shop says now, once it has. */
  stock: LiveStock | undefined;
}

/** A part that an answer is about: price, supply, where it is drawn, and the way into the cart. */
export function PartCard({ part, actions, stock }: PartCardProps): ReactNode {
  const { texts } = useShop();
  const transit = useTransit();
  const { part_number, description, schemas, quantity, pdf_link, price, in_stock, store_link } = part;
  const address = store_link && new URL(store_link).pathname;
  const availability = in_stock === null ? "unknown" : in_stock ? "in_stock" : "out_of_stock";
  return (
    <li className="desk-part">
      <h3>{address ? <a href={address}>{description}</a> : description}</h3>
      <p className="soft">
        {part_number}
        {quantity !== null && ` · ${fill(texts.quantityInMachine, { count: quantity })}`}
      </p>
      <Price value={price} currency="usd" />
      <p className={address === undefined ? undefined : "desk-supply"}>
        <SupplyText stock={stock} availability={availability} transit={transit} isCounted />
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
