import type { OrderItem } from "@partline/client";
import { useState, type ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { changeCart } from "../cart-store.ts";
import { useShop } from "../context.tsx";
import { useAction } from "../problem.ts";
import { ProblemNotice } from "../problem-notice.tsx";

/** As long as the dealer takes: what is asked for here is today's price. */
const STOCK_MS = 3_000;

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
    const ids = items.map(({ productId }) => productId);
    const { results } = await partline!.search.stock({ ids, waitMs: STOCK_MS });
    const parts = new Map(results.map((part) => [part.id, part]));
    const goneNames: string[] = [];
    const lines = items.flatMap(({ productId, name, quantity }) => {
      const part = parts.get(productId);
      if (!part || part.price === null || part.status === "discontinued") {
        goneNames.push(name);
        return [];
      }
      const { partNumber, title, price: unitPrice, manufacturer, imageUrl, availability } = part;
      const facts = { manufacturer, imageUrl, ...(availability && { availability }) };
      return [{ productId, partNumber, title: title ?? name, unitPrice, quantity, ...facts }];
    });
    // All or none: pressed again after a failure, nothing is there twice.
    if (lines.length > 0) await changeCart(shop, ({ cart }) => cart.sync({ items: lines, strategy: "merge" }));
    setResult({ added: lines.length, goneNames });
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
      <ProblemNotice text={problem} />
    </div>
  );
}
