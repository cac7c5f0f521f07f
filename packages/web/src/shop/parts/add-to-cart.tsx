import { type CartItemInput, type Partline } from "@partline/client";
import { useState, type SubmitEvent, type ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { addToCart } from "../cart-store.ts";
import { useShop } from "../context.tsx";
import { useAction } from "../problem.ts";
import { ProblemNotice } from "../problem-notice.tsx";
import { ScriptedForm } from "../scripted-form.tsx";
import { AddedNote } from "./added-note.tsx";

type Buyable = Omit<CartItemInput, "quantity">;
const MOST = 9_999;

/** Looks up the maker and the picture of a part that is known by its number, title and price. */
export async function buyablePart(
  partline: Partline,
  id: string,
  part: Pick<Buyable, "partNumber" | "title" | "unitPrice">,
): Promise<Buyable> {
  const { id: productId, media, manufacturer } = await partline.search.part({ id });
  return { ...part, productId, manufacturer: manufacturer.name, imageUrl: media?.images?.[0]?.url ?? null };
}

interface AddToCartProps {
  /** Or how it is found, once it is wanted. */
  item: Buyable | { title: string; find(): Promise<Buyable> };
  withQuantity?: boolean;
  /** How many at first. */
  count?: number;
}

/** A double click adds once, even if the first click is answered before the second comes. */
export function AddToCart({ item, withQuantity = false, count = 1 }: AddToCartProps): ReactNode {
  const shop = useShop();
  const { texts } = shop;
  const [quantity, setQuantity] = useState(String(count));
  const [inCart, setInCart] = useState<number>();
  const { run, problem, isBusy } = useAction();

  const add = (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    return run(async () => {
      const bought = "find" in item ? await item.find() : item;
      const cart = await addToCart(shop, cartItem(bought, Number(quantity)));
      setInCart(cart.items.find(({ productId }) => productId === bought.productId)?.quantity);
    });
  };

  return (
    <ScriptedForm onSubmit={(event) => void add(event)} className="add">
      {withQuantity && (
        <label>
          {texts.quantity}{" "}
          <input
            type="number"
            min={1}
            max={MOST}
            step={1}
            required
            value={quantity}
            onChange={(event) => setQuantity(event.target.value)}
          />
        </label>
      )}
      <button
        className={withQuantity ? "primary" : undefined}
        aria-busy={isBusy}
        onClick={(event) => event.detail > 1 && event.preventDefault()}
      >
        {texts.addToCart}
        {!withQuantity && <span className="hidden">: {item.title}</span>}
      </button>
      <AddedNote text={inCart === undefined ? undefined : fill(texts.added, { count: inCart })} />
      <ProblemNotice text={problem} />
    </ScriptedForm>
  );
}

/** What a cart keeps of a part: never what the shop alone knows of it. */
export function cartItem(item: Buyable, quantity: number): CartItemInput {
  const { productId, partNumber, title, unitPrice, manufacturer, imageUrl, availability } = item;
  return { productId, partNumber, title, unitPrice, manufacturer, imageUrl, availability, quantity };
}
