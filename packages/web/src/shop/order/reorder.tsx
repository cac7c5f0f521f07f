import { isPartlineError, type OrderItem, type Partline, type WholePart } from "@partline/client";
import { useState, type ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { addToCart } from "../cart-store.ts";
import { useShop } from "../context.tsx";
import { cartItem } from "../parts/add-to-cart.tsx";
import { useAction } from "../problem.ts";

interface ReorderProps {
  items: readonly OrderItem[];
  /** Of the order, where a page has several. */
  number?: string;
}

/** Puts what is still sold of an order into the cart, at today's price, and says what is not. */
export function Reorder({ items, number }: ReorderProps): ReactNode {
  const shop = useShop();
  const { texts, partline } = shop;
  const { run, problem, isBusy } = useAction();
  const [result, setResult] = useState<{ added: number; goneNames: string[] }>();
  const reorder = async (): Promise<void> => {
    setResult(undefined);
    const goneNames: string[] = [];
    for (const { productId, name, quantity } of items) {
      const part = partline && (await findSold(partline, productId));
      const unitPrice = part?.price?.list?.value;
      if (!part || unitPrice === undefined) {
        goneNames.push(name);
        continue;
      }
      const { id, partNumber, title, manufacturer, media, availability } = part;
      const sold = { productId: id, partNumber, title, unitPrice, manufacturer: manufacturer.name, availability };
      await addToCart(shop, cartItem({ ...sold, imageUrl: media?.images?.[0]?.url ?? null }, quantity));
    }
    setResult({ added: items.length - goneNames.length, goneNames });
  };
  return (
    <div className="no-print">
      <button aria-busy={isBusy} onClick={() => void run(reorder)}>
        {texts.reorder}
        {number !== undefined && <span className="hidden">: {number}</span>}
      </button>
      <div role="status">
        {result && result.added > 0 && (
          <>
            {fill(texts.reordered, { count: result.added })} <a href="/cart">{texts.toCart}</a>{" "}
          </>
        )}
        {result && result.goneNames.length > 0 && fill(texts.reorderGone, { names: result.goneNames.join(", ") })}
      </div>
      {problem !== undefined && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
    </div>
  );
}

/** Undefined for a part that is not sold any more. */
async function findSold(partline: Partline, id: string): Promise<WholePart | undefined> {
  try {
    const part = await partline.search.part({ id });
    return part.status === "discontinued" ? undefined : part;
  } catch (error) {
    if (isPartlineError(error, "NOT_FOUND")) return undefined;
    throw error;
  }
}
