import { isPartlineError, type CartItem, type PartAvailability } from "@partline/client";
import { useEffect, useState, type ReactNode, type Ref } from "react";
import { fill } from "../../shared/language.ts";
import { setQuantity } from "../cart-store.ts";
import { useShop } from "../context.tsx";
import { money } from "../../shared/numbers.ts";
import { Availability } from "../parts/availability.tsx";
import { Picture } from "../parts/picture.tsx";
import { useProblem } from "../problem.ts";
import { useStock } from "./use-stock.ts";

/** A line that went, and where it was. */
export interface Removed {
  title: string;
  index: number;
}

interface LinesProps {
  items: CartItem[];
  /** The list whose buttons remove a line each. */
  list: Ref<HTMLUListElement>;
  onRemoved: (removed: Removed) => void;
}

export function Lines({ items, list, onRemoved }: LinesProps): ReactNode {
  const stock = useStock(items);
  return (
    <ul className="lines" ref={list}>
      {items.map((item, index) => (
        <Line
          key={item.productId}
          item={item}
          stock={stock.get(item.productId)}
          onRemoved={() => onRemoved({ title: item.title, index })}
        />
      ))}
    </ul>
  );
}

interface LineProps {
  item: CartItem;
  stock: PartAvailability | undefined;
  onRemoved: () => void;
}

function Line({ item, stock, onRemoved }: LineProps): ReactNode {
  const shop = useShop();
  const { texts, language } = shop;
  const describeProblem = useProblem();
  const [text, setText] = useState(String(item.quantity));
  const [problem, setProblem] = useState<string>();
  // Another tab may have changed it.
  useEffect(() => setText(String(item.quantity)), [item.quantity]);

  const set = async (quantity: number): Promise<void> => {
    setProblem(undefined);
    try {
      const { productId } = item;
      const newCart = await setQuantity(shop, { productId, quantity });
      if (!newCart.items.some((left) => left.productId === productId)) onRemoved();
    } catch (error) {
      if (!isPartlineError(error)) throw error;
      setProblem(describeProblem(error));
      setText(String(item.quantity));
    }
  };
  const keep = (): void => {
    const quantity = Number(text);
    if (text.trim() === "" || !Number.isInteger(quantity) || quantity < 0) setText(String(item.quantity));
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
        <p className="stock" aria-live="polite">
          <Shelf quantity={item.quantity} stock={stock} />
          {stock && stock.price !== null && stock.price !== item.unitPrice && (
            <> {fill(texts.priceNow, { price: money(stock.price, "usd", language) })}</>
          )}
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
            min={0}
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

/** Whether the shelf has what is in the cart, in the words of the part's page. */
function Shelf({ quantity, stock }: { quantity: number; stock: PartAvailability | undefined }): ReactNode {
  const { texts } = useShop();
  if (!stock || stock.availability === null) return null;
  const { availability, stock: pieces } = stock;
  if (pieces !== null && pieces > 0 && pieces < quantity)
    return <span className="availability low_stock">{fill(texts.stockOnly, { stock: pieces, count: quantity })}</span>;
  return <Availability value={availability} />;
}
