import {
  isPartlineError,
  type CartItem,
  type CheckoutSession,
  type DeliveryPromise,
  type FacetValue,
  type LiveStock,
  type OwnCart,
} from "@partline/client";
import { useEffect, useRef, useState, type ReactNode, type SetStateAction } from "react";
import { createZoneDays } from "../../../../../mixins/shop/shop-days.ts";
import { fill } from "../../shared/language.ts";
import { CheckoutAmounts, getShippingCost } from "../cart/amounts.tsx";
import { getCheckoutId, forgetCheckout, keepSession } from "../cart/checkout-id.ts";
import { DELIVERY_ID, DeliveryChoice, toTransit, type Delivery } from "../cart/delivery.tsx";
import { keepSentCheckout } from "../cart/sent-checkout.ts";
import { Lines, REMOVE_CLASS, type Removed } from "../cart/lines.tsx";
import { Mend } from "../cart/mend.tsx";
import { readRefusals, type Refusals } from "../cart/refusals.ts";
import { currentCart, settled, showCart, useCart } from "../cart-store.ts";
import { usePartline, useShop } from "../context.tsx";
import { money } from "../../shared/numbers.ts";
import { Button, ButtonLink } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { Icon } from "../kit/icon.tsx";
import { CART, LOCK, RETURN } from "../kit/icons/ui.ts";
import { PartIcon } from "../kit/icons/part-icon.tsx";
import { Steps } from "../kit/steps.tsx";
import { Tile } from "../kit/tile.tsx";
import { nameCategory } from "../parts/category.ts";
import { loadStock } from "../parts/load-stock.ts";
import { findLastReady, type Pieces, type ReadyDay, splitPieces } from "../parts/pieces.ts";
import { StockNote, toPromise } from "../parts/supply.tsx";
import { useLiveStock } from "../parts/use-live-stock.ts";
import { Layout } from "../layout.tsx";
import type { PageDefinition } from "../page.ts";
import { useProblem } from "../problem.ts";
import { ProblemNotice } from "../problem-notice.tsx";
import { describeShortage } from "../problem-text.ts";
import { SearchField } from "../search-field.tsx";

interface CartData {
  cart: OwnCart;
  stock: readonly LiveStock[];
  /** The largest of them, for a cart that was empty. */
  categories: FacetValue[];
}

const MOST_CATEGORIES = 6;

export const cart: PageDefinition<CartData> = {
  path: "/cart",
  load: async ({ partline, isCrawler }) => {
    const current = await partline.cart.current();
    if (current.items.length === 0) {
      // Without them the page says the same, with fewer ways on.
      const filters = await partline.search.filters({}).catch(() => undefined);
      return { cart: current, stock: [], categories: filters?.facets.category.slice(0, MOST_CATEGORIES) ?? [] };
    }
    const ids = current.items.map(({ productId }) => productId);
    return { cart: current, stock: await loadStock({ partline, isCrawler }, ids), categories: [] };
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
  const transit = delivery && toTransit(delivery);
  const isPickup = delivery?.fulfilment === "pickup";
  const pieces = items.flatMap((item) => splitLine(item, stock, transit?.pickupPlace));
  const ready = findLastReady(pieces);
  const isElsewhere = pieces.some(({ from }) => from === "elsewhere");
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [removed, setRemoved] = useState<Removed>();
  useEffect(() => {
    // The focus went with the line, unless it was elsewhere by then.
    if (!removed || document.activeElement !== document.body) return;
    const buttons = list.current?.querySelectorAll<HTMLButtonElement>(`.${REMOVE_CLASS}`);
    (buttons?.[Math.min(removed.index, buttons.length - 1)] ?? heading.current)?.focus();
  }, [removed]);
  const isEmpty = items.length === 0;
  return (
    <Layout hasOwnSearch={isEmpty && data.cart.items.length === 0}>
      <div className="cart-head">
        <h1 ref={heading} tabIndex={-1}>
          {texts.cartTitle}
        </h1>
        {!isEmpty && (
          <Steps
            label={texts.checkoutSteps}
            steps={[{ name: texts.cart }, { name: texts.delivery }, { name: texts.payment }]}
            current={delivery ? 2 : 1}
          />
        )}
      </div>
      <p role="status" className="hidden">
        {removed && fill(texts.removedPart, { title: removed.title })}
      </p>
      {isEmpty ? (
        <Nothing {...data} />
      ) : (
        <div className="cart">
          <div>
            <Lines {...{ items, stock, transit, list }} onRemoved={setRemoved} />
            <StockNote stock={items.map(({ productId }) => stock.get(productId))} />
            {pieces.some(({ from }) => from === "backorder") && (
              <p className="soft">{isPickup ? texts.backorderReadyLater : texts.backorderLater}</p>
            )}
            <p>
              <a href="/search">{texts.continueShopping}</a>
            </p>
          </div>
          <Checkout {...{ items, stock, total, ready, isElsewhere, delivery }} onDelivery={setDelivery} />
        </div>
      )}
    </Layout>
  );
}

/** An empty cart: the ways to a part. */
function Nothing({ cart: { items }, categories }: CartData): ReactNode {
  const { texts } = useShop();
  return (
    <>
      <EmptyState icon={CART} heading={texts.cartEmpty}>
        {items.length === 0 && <SearchField large />}
        <p className="actions">
          <ButtonLink href="/machines">{texts.machines}</ButtonLink>
          <ButtonLink href="/search">{texts.allParts}</ButtonLink>
        </p>
      </EmptyState>
      {categories.length > 0 && (
        <section aria-label={texts.homeCategories}>
          <ul className="tiles">
            {categories.map(({ value, label }) => (
              <Tile key={value} href={`/search?category=${encodeURIComponent(value)}`} icon={<PartIcon name={label} />}>
                {nameCategory(value, texts, label)}
              </Tile>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Of a part whose stock nobody knows, nobody knows the day. */
const NO_SUPPLY = [{ from: "dealer", pieces: null, readyOn: null }] as const;

function splitLine(
  { productId, quantity }: CartItem,
  stock: CheckoutProps["stock"],
  pickupPlace: string | undefined,
): Pieces[] {
  const { supply = [] } = stock.get(productId) ?? {};
  return splitPieces(supply.length > 0 ? supply : NO_SUPPLY, quantity, pickupPlace);
}

interface CheckoutProps {
  items: CartItem[];
  stock: ReadonlyMap<string, LiveStock>;
  total: number;
  /** When the last piece is ready. */
  ready: ReadyDay | undefined;
  /** Whether pieces lie at another place than the one for pickup. */
  isElsewhere: boolean;
  delivery: Delivery | undefined;
  onDelivery: (change: SetStateAction<Delivery | undefined>) => void;
}

function Checkout({
  items,
  stock,
  total,
  ready,
  isElsewhere,
  delivery,
  onDelivery: setDelivery,
}: CheckoutProps): ReactNode {
  const shop = useShop();
  const { texts, language, user } = shop;
  const partline = usePartline();
  const describeProblem = useProblem();
  const payButton = useRef<HTMLButtonElement>(null);
  const [refused, setRefused] = useState<{ items: CartItem[]; refusals: Refusals; takesFocus: boolean }>();
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
    // A page that was open overnight may say a day that is over.
    const today = createZoneDays(shop.timeZone).findDay(new Date());
    const transit = toTransit(chosen);
    const promise = (readyDay: ReadyDay | undefined): { deliveryPromise?: DeliveryPromise } => {
      const deliveryPromise = toPromise(readyDay, transit);
      return deliveryPromise && deliveryPromise.day >= today ? { deliveryPromise } : {};
    };
    const session = await partline.payment.createCheckoutSession({
      cartId: getCheckoutId(user?.id),
      replace: true,
      items: items.map((item) => ({ ...item, ...promise(findLastReady(splitLine(item, stock, transit.pickupPlace))) })),
      fulfilment: chosen.fulfilment,
      language,
      ...(chosen.fulfilment === "ship"
        ? { quote: chosen.method.quote, shippingAddress: chosen.shippingAddress }
        : { pickupPlace: chosen.pickupPlace }),
      ...promise(ready),
      ...(user ? { customerId: user.id } : {}),
    });
    keepSession(session.sessionId);
    const shownStock = items.flatMap(({ productId }) => stock.get(productId) ?? []);
    const summary = { items, total, stock: shownStock, delivery: chosen };
    keepSentCheckout({ sessionId: session.sessionId, userId: user?.id, ...summary });
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
    if (isBusy || !delivery) return;
    setProblem(undefined);
    setRefused(undefined);
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
      const refusals = readRefusals(error);
      if (refusals) setRefused({ items, refusals, takesFocus: true });
      else setProblem(describeShortage(error, items, texts) ?? describeProblem(error));
    }
  };
  return (
    <>
      <DeliveryChoice
        items={items}
        ready={ready}
        isElsewhere={isElsewhere}
        chosen={delivery}
        onChoose={(chosen) => {
          setDelivery(chosen);
          setProblem(undefined);
        }}
        onRefused={(refusals) => setRefused(refusals && { items, refusals, takesFocus: false })}
      />
      <div className="cart-sum">
        <section className="card" aria-label={texts.summary}>
          <h2>{texts.summary}</h2>
          <CheckoutAmounts total={total} delivery={delivery} />
        </section>
        {(refused ?? problem !== undefined) && (
          <div>
            {refused && (
              <Mend
                {...refused}
                onMended={() => {
                  setRefused(undefined);
                  payButton.current?.focus();
                }}
              />
            )}
            <ProblemNotice text={problem} takesFocus />
          </div>
        )}
        <div className="cart-pay no-print">
          {delivery ? (
            <Button ref={payButton} kind="primary" size="full" isBusy={isBusy} onClick={() => void pay()}>
              {fill(texts.checkout, { price: money(total + getShippingCost(delivery), "usd", language) })}
            </Button>
          ) : (
            // Before it is chosen, nobody knows the sum.
            <ButtonLink href={`#${DELIVERY_ID}`} kind="primary" size="full">
              {texts.toDelivery}
            </ButtonLink>
          )}
        </div>
        <Promises />
      </div>
    </>
  );
}

/** What a shopper wants to be sure of before they pay, as far as the shop says it. */
function Promises(): ReactNode {
  const { texts, facts, policies, isTaxed } = useShop();
  const { days } = facts.returns;
  const returnsText = fill(texts.returnsWithin, { days });
  const promises = [
    { icon: LOCK, text: isTaxed ? texts.checkoutHintTaxed : texts.checkoutHint },
    ...(days > 0
      ? [
          {
            icon: RETURN,
            text: policies.includes("returns") ? <a href="/policies/returns">{returnsText}</a> : returnsText,
          },
        ]
      : []),
  ];
  return (
    <ul className="promises">
      {promises.map(({ icon, text }) => (
        <li key={icon}>
          <Icon path={icon} size="small" />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}
