import type { OrderItem } from "@partline/client";
import { useState, type ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { Button } from "../kit/button.tsx";
import { Icon } from "../kit/icon.tsx";
import { CART } from "../kit/icons/ui.ts";
import { addLines } from "../parts/add-lines.ts";
import { useAction } from "../problem.ts";
import { ProblemNotice } from "../problem-notice.tsx";

interface ReorderProps {
  items: readonly OrderItem[];
  /** Of the order, where a page has several. */
  number?: string;
}

/** Puts what is still sold of an order into the cart, at today's price, and says what is not. */
export function Reorder({ items, number }: ReorderProps): ReactNode {
  const shop = useShop();
  const { texts } = shop;
  const { run, problem, isBusy } = useAction();
  const [result, setResult] = useState<{ added: number; goneNames: string[] }>();
  const reorder = async (): Promise<void> => {
    setResult(undefined);
    setResult(await addLines(shop, items));
  };
  return (
    <div className="no-print reorder">
      <Button isBusy={isBusy} size={number === undefined ? "full" : "compact"} onClick={() => void run(reorder)}>
        <Icon path={CART} size="small" />
        {texts.reorder}
        {number !== undefined && <span className="hidden">: {number}</span>}
      </Button>
      <div aria-live="polite">
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
