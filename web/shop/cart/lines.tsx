import { isPartlineError, type CartItem } from "@partline/client";
import { useEffect, useState, type ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { changeCart } from "../cart-store.ts";
import { usePartline, useShop } from "../context.tsx";
import { money } from "../../shared/numbers.ts";
import { Picture } from "../parts/picture.tsx";
import { useProblem } from "../problem.ts";

export function Lines({ items }: { items: CartItem[] }): ReactNode {
  return (
    <ul className="lines">
      {items.map((item) => (
        <Line key={item.productId} item={item} />
      ))}
    </ul>
  );
}

function Line({ item }: { item: CartItem }): ReactNode {
  const { texts, language } = useShop();
  const partline = usePartline();
  const wordsOf = useProblem();
  const [text, setText] = useState(String(item.quantity));
  const [problem, setProblem] = useState<string>();
  // Another tab may have changed it.
  useEffect(() => setText(String(item.quantity)), [item.quantity]);

  const set = async (quantity: number): Promise<void> => {
    setProblem(undefined);
    try {
      await changeCart(partline, () => partline.cart.setQuantity({ productId: item.productId, quantity }));
    } catch (error) {
      if (!isPartlineError(error)) throw error;
      setProblem(wordsOf(error));
      setText(String(item.quantity));
    }
  };
  const keep = (): void => {
    const quantity = Number(text);
    if (!Number.isInteger(quantity) || quantity < 1) setText(String(item.quantity));
    else if (quantity !== item.quantity) void set(quantity);
  };

  return (
    <li className="hit">
      <Picture url={item.imageUrl} alt="" />
      <div>
        <h2>
          <a href={`/parts/${encodeURIComponent(item.productId)}`}>{item.title}</a>
        </h2>
        <p className="soft">
          {item.manufacturer} {item.partNumber} ·{" "}
          <span className="number">{money(item.unitPrice, "usd", language)}</span>
        </p>
        {problem !== undefined && (
          <p role="alert" className="problem">
            {problem}
          </p>
        )}
      </div>
      <div className="hit-buy">
        <strong className="number">{money(item.unitPrice * item.quantity, "usd", language)}</strong>
        <label>
          <span className="hidden">{fill(texts.quantityOf, { title: item.title })}</span>
          <input
            className="quantity"
            type="number"
            min={1}
            max={9_999}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onBlur={keep}
            onKeyDown={(event) => {
              if (event.key === "Enter") keep();
            }}
          />
        </label>
        <button
          className="plain"
          aria-label={fill(texts.removePart, { title: item.title })}
          onClick={() => void set(0)}
        >
          {texts.remove}
        </button>
      </div>
    </li>
  );
}
