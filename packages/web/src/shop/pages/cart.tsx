import { isPartlineError, type CartItem, type CheckoutSession, type OwnCart, type LiveStock } from "@partline/client";
import { useEffect, useRef, useState, type ReactNode, type SetStateAction } from "react";
import { fill } from "../../shared/language.ts";
import { checkoutIdOf, forgetCheckout, keepSession } from "../cart/checkout-id.ts";
import { DeliveryChoice, type Delivery } from "../cart/delivery.tsx";
import { Lines, type Removed } from "../cart/lines.tsx";
import { Mend } from "../cart/mend.tsx";
import { refusalsOf, type Refusals } from "../cart/refusals.ts";
import { currentCart, settled, showCart, useCart } from "../cart-store.ts";
import { usePartline, useShop } from "../context.tsx";
import { money } from "../../shared/numbers.ts";
import { Button, ButtonLink } from "../kit/button.tsx";
import { Card } from "../kit/card.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { CART } from "../kit/icons/ui.ts";
import { SummaryList } from "../kit/summary-list.tsx";
import { loadStock } from "../parts/load-stock.ts";
import { findLastReady, type ReadyDay, splitPieces } from "../parts/pieces.ts";
import { StockNote } from "../parts/supply.tsx";
import { useLiveStock } from "../parts/use-live-stock.ts";
import { Layout } from "../layout.tsx";
import type { PageDefinition } from "../page.ts";
import { useProblem } from "../problem.ts";
import { ProblemNotice } from "../problem-notice.tsx";
import { shortageOf } from "../problem-text.ts";

interface CartData {
  cart: OwnCart;
  stock: readonly LiveStock[];
}

export const cart: PageDefinition<CartData> = {
  path: "/cart",
  load: async ({ partline, isCrawler }) => {
    const current = await partline.cart.current();
    const ids = current.items.map(({ productId }) => productId);
    return { cart: current, stock: await loadStock({ partline, isCrawler }, ids) };
  },
  head: (_, { texts }) => ({ title: texts.cartTitle }),
  View: Cart,
};

function Cart({ data }: { data: CartData }): ReactNode {
  const { texts } = useShop();
  const { items, total } = useCart() ?? data.cart;
  useEffect(() => showCart(data.cart), [data]);
  const { stock } = useLiveStock(
    items.map(({ productId }) => productId),
    data.stock,
  );
  const [delivery, setDelivery] = useState<Delivery>();
  const transit = delivery && {
    isPickup: delivery.fulfilment === "pickup",
    carrierDays: delivery.fulfilment === "ship" ? delivery.method.estimatedDays : undefined,
  };
  const pieces = items.flatMap(({ productId, quantity }) => {
    const { supply = [] } = stock.get(productId) ?? {};
    return splitPieces(supply.length > 0 ? supply : NO_SUPPLY, quantity);
  });
  const ready = findLastReady(pieces);
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [removed, setRemoved] = useState<Removed>();
  useEffect(() => {
    // The focus went with the line, unless it was elsewhere by then.
    if (!removed || document.activeElement !== document.body) return;
    const buttons = list.current?.querySelectorAll("button");
    (buttons?.[Math.min(removed.index, buttons.length - 1)] ?? heading.current)?.focus();
  }, [removed]);
  return (
    <Layout>
      <h1 ref={heading} tabIndex={-1}>
        {texts.cartTitle}
      </h1>
      <p role="status" className="hidden">
        {removed && fill(texts.removedPart, { title: removed.title })}
      </p>
      {items.length === 0 ? (
        <EmptyState icon={CART} heading={texts.cartEmpty}>
          <ButtonLink href="/">{texts.home}</ButtonLink>
        </EmptyState>
      ) : (
        <div className="cart">
          <div>
            <Lines {...{ items, stock, transit, list }} onRemoved={setRemoved} />
            <StockNote stock={items.map(({ productId }) => stock.get(productId))} />
            {pieces.some(({ from }) => from === "backorder") && <p className="soft">{texts.backorderLater}</p>}
          </div>
          <Checkout {...{ items, total, ready, delivery }} onDelivery={setDelivery} />
        </div>
      )}
    </Layout>
  );
}

/** Of a part whose stock nobody knows, nobody knows the day. */
const NO_SUPPLY = [{ from: "dealer", pieces: null, readyOn: null }] as const;

interface CheckoutProps {
  items: CartItem[];
  total: number;
  /** When the last piece is ready. */
  ready: ReadyDay | undefined;
  delivery: Delivery | undefined;
  onDelivery: (change: SetStateAction<Delivery | undefined>) => void;
}

function Checkout({ items, total, ready, delivery, onDelivery: setDelivery }: CheckoutProps): ReactNode {
  const shop = useShop();
  const { texts, language, user, facts } = shop;
  const partline = usePartline();
  const describeProblem = useProblem();
  const [refused, setRefused] = useState<{ items: CartItem[]; refusals: Refusals }>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const content = JSON.stringify(items);
  // A quote is for the items that it was made for.
  useEffect(() => setDelivery((chosen) => (chosen?.fulfilment === "ship" ? undefined : chosen)), [content]);
  // Back from the payment page, the browser shows this page as it was left.
  useEffect(() => {
    const restored = (): void => setIsBusy(false);
    addEventListener("pageshow", restored);
    return () => removeEventListener("pageshow", restored);
  }, []);

  const open = async (chosen: Delivery): Promise<CheckoutSession> => {
    const session = await partline.payment.createCheckoutSession({
      cartId: checkoutIdOf(user?.id),
      replace: true,
      items,
      fulfilment: chosen.fulfilment,
      language,
      ...(chosen.fulfilment === "ship"
        ? { quote: chosen.method.quote, shippingAddress: chosen.shippingAddress }
        : { pickupPlace: chosen.pickupPlace }),
      ...(user ? { customerId: user.id } : {}),
    });
    keepSession(session.sessionId);
    return session;
  };
  /** Reads the cart again. @returns whether it is another one than is shown, and is shown now instead */
  const isShownAnew = async (): Promise<boolean> => {
    const now = await currentCart(shop);
    if (JSON.stringify(now.items) === content) return false;
    setIsBusy(false);
    showCart(now);
    setProblem(texts.cartChanged);
    return true;
  };
  /** What an order bought leaves the cart as its last step: a cart that was written later has it again. */
  const isFilledSince = async (sessionId: string): Promise<boolean> => {
    const [{ createdAt }, { lastSyncedAt }] = await Promise.all([
      partline.order.bySession({ sessionId }),
      partline.cart.current(),
    ]);
    return lastSyncedAt !== null && lastSyncedAt > createdAt;
  };
  const pay = async (): Promise<void> => {
    if (isBusy) return;
    setProblem(undefined);
    setRefused(undefined);
    if (!delivery) {
      setProblem(texts.chooseShipping);
      return;
    }
    setIsBusy(true);
    // A quantity that was typed last is on its way: its price is seen before it is paid.
    if (await settled()) {
      setIsBusy(false);
      return;
    }
    try {
      if (await isShownAnew()) return;
      const session = await open(delivery);
      const isOrdered = session.status === "complete" && session.orderId !== undefined;
      // Without an order, what it bought may still be in the cart: the page of its success waits for that order.
      if (isOrdered && (session.itemsDiffer || (await isFilledSince(session.sessionId)))) {
        // Its order was made where this browser did not see it, and its parts may be about to leave the cart.
        forgetCheckout(session.sessionId);
        if (await isShownAnew()) return;
        setIsBusy(false);
        setProblem(texts.earlierPaid);
        return;
      }
      location.assign(
        session.status === "complete"
          ? `/checkout/success?session_id=${encodeURIComponent(session.sessionId)}`
          : session.url,
      );
    } catch (error) {
      setIsBusy(false);
      if (!isPartlineError(error)) throw error;
      const refusals = refusalsOf(error);
      if (refusals) setRefused({ items, refusals });
      else setProblem(shortageOf(error, items, texts) ?? describeProblem(error));
    }
  };
  const shippingCost = delivery?.fulfilment === "ship" ? delivery.method.cost : 0;
  const amountDue = total + shippingCost;
  const subtotal = { name: texts.subtotal, value: money(total, "usd", language) };
  const amounts = [
    subtotal,
    { name: texts.shipping, value: shippingCost === 0 ? texts.shippingFree : money(shippingCost, "usd", language) },
    { name: texts.total, value: money(amountDue, "usd", language), isTotal: true },
  ];

  return (
    <>
      <DeliveryChoice
        items={items}
        ready={ready}
        chosen={delivery}
        onChoose={(chosen) => {
          setDelivery(chosen);
          setProblem(undefined);
        }}
        onRefused={(refusals) => setRefused(refusals && { items, refusals })}
      />
      <Card className="cart-sum">
        <SummaryList rows={delivery ? amounts : [{ ...subtotal, isTotal: true }]} />
        {refused && <Mend {...refused} onMended={() => setRefused(undefined)} />}
        <ProblemNotice text={problem} />
        <Button kind="primary" size="full" isBusy={isBusy} onClick={() => void pay()}>
          {fill(texts.checkout, { price: money(amountDue, "usd", language) })}
        </Button>
        <p className="soft small">{texts.checkoutHint}</p>
        {facts.returns.days > 0 && (
          <p className="soft small">{fill(texts.returnsWithin, { days: facts.returns.days })}</p>
        )}
      </Card>
    </>
  );
}
