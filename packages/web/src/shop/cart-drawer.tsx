import { useState, type MouseEvent, type ReactNode } from "react";
import { money } from "../shared/numbers.ts";
import { useCart } from "./cart-store.ts";
import { useShop } from "./context.tsx";
import { ButtonLink } from "./kit/button.tsx";
import { EmptyState } from "./kit/empty-state.tsx";
import { Icon } from "./kit/icon.tsx";
import { CART } from "./kit/icons/ui.ts";
import { Sheet } from "./kit/sheet.tsx";
import { SummaryList } from "./kit/summary-list.tsx";
import { isForNewTab } from "./new-tab.ts";
import { Picture } from "./parts/picture.tsx";

/** Renders the way to the cart. With a script, a press shows the cart beside the page, unless the page is the cart. */
export function CartLink(): ReactNode {
  const { texts, address } = useShop();
  const count = useCart()?.itemCount ?? 0;
  const [isOpen, setIsOpen] = useState(false);
  const onClick = (event: MouseEvent): void => {
    if (isForNewTab(event) || /^\/(cart|checkout)\b/.test(address)) return;
    event.preventDefault();
    setIsOpen(true);
  };
  return (
    <>
      <a href="/cart" className="act" onClick={onClick}>
        <Icon path={CART} />
        <span>{texts.cart}</span>
        <span className="badge">{count > 0 ? ` ${count}` : ""}</span>
        {count > 0 && <span className="hidden"> {count === 1 ? texts.piece : texts.pieces}</span>}
      </a>
      <Sheet heading={texts.cartTitle} isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <CartContent />
      </Sheet>
    </>
  );
}

function CartContent(): ReactNode {
  const { texts, language } = useShop();
  const { items = [], total = 0 } = useCart() ?? {};
  if (items.length === 0) return <EmptyState icon={CART} heading={texts.cartEmpty} />;
  return (
    <>
      <ul className="lines pictured-lines cart-lines">
        {items.map(({ productId, title, partNumber, quantity, unitPrice, imageUrl }) => (
          <li key={productId}>
            <Picture url={imageUrl} alt="" size={64} />
            <span>
              <a href={`/parts/${encodeURIComponent(productId)}`}>{title}</a>
              <br />
              <span className="soft small">
                {quantity} × {partNumber}
              </span>
            </span>
            <strong className="number">{money(unitPrice * quantity, "usd", language)}</strong>
          </li>
        ))}
      </ul>
      <SummaryList rows={[{ name: texts.subtotal, value: money(total, "usd", language), isTotal: true }]} />
      <ButtonLink href="/cart" kind="primary" size="full">
        {texts.toCart}
      </ButtonLink>
    </>
  );
}
