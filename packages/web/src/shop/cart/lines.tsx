import { isPartlineError, type CartItem, type LiveStock } from "@partline/client";
import { useEffect, useRef, useState, type ReactNode, type Ref } from "react";
import { fill } from "../../shared/language.ts";
import { setQuantity } from "../cart-store.ts";
import { useShop } from "../context.tsx";
import { Button } from "../kit/button.tsx";
import { Icon } from "../kit/icon.tsx";
import { MINUS, PLUS } from "../kit/icons/ui.ts";
import { Notice } from "../kit/notice.tsx";
import { money } from "../../shared/numbers.ts";
import { splitPieces } from "../parts/pieces.ts";
import { SupplyText, type Transit } from "../parts/supply.tsx";
import { Picture } from "../parts/picture.tsx";
import { useProblem } from "../problem.ts";
import { ProblemNotice } from "../problem-notice.tsx";
import { useHasScript } from "../use-has-script.ts";
import type { Stock } from "../parts/use-live-stock.ts";

const MOST_PIECES = 9_999;
/** Of the button that removes a line. */
export const REMOVE_CLASS = "line-remove";

/** A line that went, and where it was. */
export interface Removed {
  title: string;
  index: number;
}

interface LinesProps {
  items: CartItem[];
  stock: Stock;
  transit: Transit | undefined;
  /** The list whose buttons remove a line each. */
  list: Ref<HTMLUListElement>;
  onRemoved: (removed: Removed) => void;
}

export function Lines({ items, stock, transit, list, onRemoved }: LinesProps): ReactNode {
  return (
    <ul className="rows" ref={list}>
      {items.map((item, index) => (
        <Line
          key={item.productId}
          item={item}
          stock={stock.get(item.productId)}
          transit={transit}
          onRemoved={() => onRemoved({ title: item.title, index })}
        />
      ))}
    </ul>
  );
}

interface LineProps {
  item: CartItem;
  stock: LiveStock | undefined;
  transit: Transit | undefined;
  onRemoved: () => void;
}

function Line({ item, stock, transit, onRemoved }: LineProps): ReactNode {
  const shop = useShop();
  const { texts, language } = shop;
  const hasScript = useHasScript();
  const describeProblem = useProblem();
  const [text, setText] = useState(String(item.quantity));
  const [problem, setProblem] = useState<string>();
  // Several presses may be under way: what the first is answered is not what the last asked for.
  const changes = useRef(0);
  // Another tab may have changed it.
  useEffect(() => {
    if (changes.current === 0) setText(String(item.quantity));
  }, [item.quantity]);

  const set = async (quantity: number): Promise<void> => {
    setProblem(undefined);
    setText(String(quantity));
    changes.current += 1;
    const { productId } = item;
    let newQuantity = item.quantity;
    try {
      const newCart = await setQuantity(shop, { productId, quantity });
      const line = newCart.items.find((left) => left.productId === productId);
      if (line) newQuantity = line.quantity;
      else onRemoved();
    } catch (error) {
      if (!isPartlineError(error)) throw error;
      setProblem(describeProblem(error));
    } finally {
      changes.current -= 1;
      if (changes.current === 0) setText(String(newQuantity));
    }
  };
  const most = stock && findMost(stock, item.quantity);
  const keep = (): void => {
    const quantity = Number(text);
    if (text === "" || !Number.isInteger(quantity) || quantity < 0 || quantity > MOST_PIECES) {
      setText(String(item.quantity));
      setProblem(texts.problem_quantity);
    } else if (quantity !== item.quantity) void set(quantity);
  };

  return (
    <li className="row">
      <Picture url={item.imageUrl} alt="" name={item.title} />
      <div className="row-about">
        <h2>
          <a href={`/parts/${encodeURIComponent(item.productId)}`}>{item.title}</a>
        </h2>
        <p className="soft">
          {item.manufacturer} {item.partNumber}
          {item.quantity > 1 && (
            <>
              {" "}
              · <span className="number">{money(item.unitPrice, "usd", language)}</span>
            </>
          )}
        </p>
        <p className="stock" aria-live="polite">
          {stock && <SupplyText stock={stock} availability={null} quantity={item.quantity} transit={transit} />}
          {stock && stock.price !== null && stock.price !== item.unitPrice && (
            <> {fill(texts.priceNow, { price: money(stock.price, "usd", language) })}</>
          )}
        </p>
        {most !== undefined && (
          <div role="status">
            <Notice kind="warn">
              {fill(texts.supplyShort, { stock: most, count: item.quantity })}{" "}
              <Button kind="plain" onClick={() => void set(most)}>
                {most === 0 ? texts.remove : fill(texts.takeAll, { count: most })}
              </Button>
            </Notice>
          </div>
        )}
        <ProblemNotice text={problem} />
      </div>
      <div className="row-buy cart-line">
        <strong className="price number">{money(item.unitPrice * item.quantity, "usd", language)}</strong>
        <div className="stepper">
          <Button
            kind="bare"
            aria-label={fill(texts.quantityLess, { title: item.title })}
            disabled={Number(text) <= 1}
            onClick={() => void set(Number(text) - 1)}
          >
            <Icon path={MINUS} size="small" />
          </Button>
          <label>
            <span className="hidden">{fill(texts.quantityOf, { title: item.title })}</span>
            <input
              type="number"
              min={0}
              max={MOST_PIECES}
              value={text}
              disabled={!hasScript}
              onChange={(event) => setText(event.target.value)}
              onBlur={keep}
              onKeyDown={(event) => {
                if (event.key === "Enter") keep();
              }}
            />
          </label>
          <Button
            kind="bare"
            aria-label={fill(texts.quantityMore, { title: item.title })}
            disabled={Number(text) >= MOST_PIECES}
            onClick={() => void set(Number(text) + 1)}
          >
            <Icon path={PLUS} size="small" />
          </Button>
        </div>
        <Button
          kind="plain"
          className={REMOVE_CLASS}
          aria-label={fill(texts.removePart, { title: item.title })}
          onClick={() => void set(0)}
        >
          {texts.remove}
        </Button>
      </div>
    </li>
  );
}

/** Returns how many are sold if that is fewer than are in the cart: the checkout would refuse the rest. */
function findMost({ supply, availability }: LiveStock, quantity: number): number | undefined {
  const most = splitPieces(supply, quantity).reduce((sum, { count }) => sum + count, 0);
  return most < quantity && availability !== "unknown" ? most : undefined;
}
