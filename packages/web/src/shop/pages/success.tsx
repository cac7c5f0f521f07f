import { isPartlineError, type OrderLookup } from "@partline/client";
import { useEffect, useState, type ReactNode } from "react";
import { listAddressLines } from "../../shared/address-lines.ts";
import { nameMethod } from "@partline/toolkit/pure";
import { money } from "../../shared/numbers.ts";
import { CheckoutAmounts } from "../cart/amounts.tsx";
import { toTransit } from "../cart/delivery.tsx";
import { forgetCheckout } from "../cart/checkout-id.ts";
import { readSentCheckout, type SentCheckout } from "../cart/sent-checkout.ts";
import { readCart } from "../cart-store.ts";
import { useShop } from "../context.tsx";
import { date } from "../format.ts";
import { ButtonLink } from "../kit/button.tsx";
import { Card } from "../kit/card.tsx";
import { Layout } from "../layout.tsx";
import { OrderSteps } from "../order/order-steps.tsx";
import type { PageDefinition } from "../page.ts";
import { Lines } from "../parts/lines.tsx";
import { PickupPlace } from "../parts/pickup-place.tsx";
import { Picture } from "../parts/picture.tsx";
import { splitPieces } from "../parts/pieces.ts";
import { describePromise, SupplyText } from "../parts/supply.tsx";

interface SuccessData {
  /** Empty if the address names none. */
  sessionId: string;
}

const LONGEST_WAIT_MS = 30_000;
const LONGEST_PAUSE_MS = 5_000;
const CART_PAUSES_MS = [0, 1_000, 4_000];

/** Anyone with a session's id sees the state of its order, but no amounts: nothing here says that it is paid. */
export const success: PageDefinition<SuccessData> = {
  path: "/checkout/success",
  load: ({ query }) => Promise.resolve({ sessionId: query.get("session_id") ?? "" }),
  head: (_, { texts }) => ({ title: texts.successWaiting }),
  View: Success,
};

function Success({ data: { sessionId } }: { data: SuccessData }): ReactNode {
  const { texts, user, canSignIn } = useShop();
  const order = useOrder(sessionId);
  const [checkout, setCheckout] = useState<SentCheckout>();
  useEffect(() => setCheckout(readSentCheckout(sessionId, user?.id)), [sessionId, user]);
  const [heading, text] =
    sessionId === ""
      ? [texts.successNone, texts.successNoneText]
      : order === undefined
        ? [texts.successWaiting, texts.successWaitingText]
        : order === "late"
          ? [texts.successLate, texts.successLateText]
          : order.paymentStatus === "pending" && order.status !== "cancelled"
            ? [texts[`success_${order.status}`], texts.successUnpaid]
            : order.paymentStatus === "failed"
              ? [texts.orderPaymentFailed, texts.successFailed]
              : [texts[chooseHeading(order)], texts.successMail];
  useEffect(() => {
    document.title = heading;
  }, [heading]);
  const foundOrder = typeof order === "object" ? order : undefined;
  return (
    <Layout>
      <div className="bought">
        <div className="stack">
          <div className="card bought-head">
            <div role="status">
              <h1>{heading}</h1>
              <p>{text}</p>
            </div>
            {foundOrder && (
              <>
                <OrderSteps order={foundOrder} />
                <dl className="facts">
                  <div>
                    <dt>{texts.orderNumber}</dt>
                    <dd>
                      {user ? (
                        <a href={toOrderPath(foundOrder)}>{foundOrder.orderNumber}</a>
                      ) : (
                        <strong>{foundOrder.orderNumber}</strong>
                      )}
                    </dd>
                  </div>
                  <div>
                    <dt>{texts.placed}</dt>
                    <dd>
                      <OrderDay iso={foundOrder.createdAt} />
                    </dd>
                  </div>
                </dl>
              </>
            )}
          </div>
          {foundOrder && foundOrder.status !== "cancelled" && <Destination order={foundOrder} checkout={checkout} />}
          {foundOrder && <Onward order={foundOrder} />}
        </div>
        <div className="stack">
          {foundOrder && checkout && <Bought {...checkout} />}
          {foundOrder && !user && canSignIn && (
            <Card heading={texts.accountCreate} kind="tinted">
              <p>{texts.accountCreateText}</p>
              <ButtonLink href="/session/sign-in?return=/orders">{texts.accountCreate}</ButtonLink>
            </Card>
          )}
        </div>
      </div>
    </Layout>
  );
}

const toOrderPath = ({ orderId }: OrderLookup): string => `/account/orders/${encodeURIComponent(orderId)}`;

function OrderDay({ iso }: { iso: string }): ReactNode {
  return date(iso, useShop());
}

interface DestinationProps {
  order: OrderLookup;
  checkout: SentCheckout | undefined;
}

/** Where the parts go or lie, and when. */
function Destination({ order, checkout }: DestinationProps): ReactNode {
  const shop = useShop();
  const { texts, language } = shop;
  const isPickup = order.fulfilment === "pickup";
  const { delivery } = checkout ?? {};
  const { deliveryPromise } = order;
  const day = deliveryPromise && describePromise(deliveryPromise, shop);
  const isLater = checkout?.items.some(({ productId, quantity }) => {
    const { supply = [] } = checkout.stock.find(({ id }) => id === productId) ?? {};
    return splitPieces(supply, quantity).some(({ from }) => from === "backorder");
  });
  const dayText = day !== undefined && <p className="delivery-day">{day}</p>;
  const later = isLater && <p className="soft">{isPickup ? texts.backorderReadyLater : texts.backorderLater}</p>;
  if (isPickup)
    return (
      <Card heading={texts.delivery}>
        {dayText}
        {later}
        <PickupPlace chosenId={delivery?.fulfilment === "pickup" ? delivery.pickupPlace : undefined} isChosen />
      </Card>
    );
  if (delivery?.fulfilment !== "ship") return dayText && <Card heading={texts.delivery}>{dayText}</Card>;
  return (
    <Card heading={texts.delivery}>
      {dayText}
      {later}
      <p>
        {nameMethod(delivery.method, language)}
        <br />
        <Lines of={listAddressLines(delivery.shippingAddress, language)} />
      </p>
    </Card>
  );
}

/** Where the order is seen from now on. */
function Onward({ order }: Pick<DestinationProps, "order">): ReactNode {
  const { texts, user } = useShop();
  return (
    <>
      {!user && (
        <Card heading={texts.seeOrder}>
          <p>
            {texts.seeOrderByMail} <a href="/orders/find">{texts.findOrder}</a>
          </p>
        </Card>
      )}
      <p className="actions">
        {user && (
          <ButtonLink kind="primary" href={toOrderPath(order)}>
            {texts.seeOrder}
          </ButtonLink>
        )}
        <ButtonLink href="/">{texts.continueShopping}</ButtonLink>
      </p>
    </>
  );
}

function Bought({ items, total, stock, delivery }: SentCheckout): ReactNode {
  const { texts, language } = useShop();
  const stockById = new Map(stock.map((part) => [part.id, part]));
  const transit = toTransit(delivery);
  return (
    <Card heading={texts.summary}>
      <ul className="lines pictured-lines bought-lines">
        {items.map(({ productId, title, partNumber, quantity, unitPrice, imageUrl }) => (
          <li key={productId}>
            <Picture url={imageUrl} alt="" name={title} size={64} />
            <span>
              {title}
              <span className="soft small">
                {quantity} × {partNumber}
              </span>
              <SupplyText stock={stockById.get(productId)} availability={null} quantity={quantity} transit={transit} />
            </span>
            <strong className="number">{money(unitPrice * quantity, "usd", language)}</strong>
          </li>
        ))}
      </ul>
      <CheckoutAmounts total={total} delivery={delivery} isOver />
    </Card>
  );
}

function chooseHeading({ status, fulfilment }: OrderLookup): `success_${OrderLookup["status"]}` | "success_ready" {
  return fulfilment === "pickup" && status === "shipped" ? "success_ready" : `success_${status}`;
}

/** The webhook makes the order, usually before the shopper is back; until then it is asked for again. */
function useOrder(sessionId: string): OrderLookup | "late" | undefined {
  const shop = useShop();
  const [order, setOrder] = useState<OrderLookup | "late">();
  useEffect(() => {
    if (sessionId === "") return;
    const leaving = new AbortController();
    const endsAt = Date.now() + LONGEST_WAIT_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (pause: number): Promise<void> => {
      try {
        setOrder(await shop.partline!.order.bySession({ sessionId }, { signal: leaving.signal }));
        forgetCheckout(sessionId);
        // What was bought leaves it as the last step of an order, which may come a moment later.
        for (const pauseMs of CART_PAUSES_MS) {
          await new Promise((resolve) => (timer = setTimeout(resolve, pauseMs)));
          await readCart(shop);
        }
      } catch (error) {
        if (leaving.signal.aborted) return;
        if (!isPartlineError(error)) throw error;
        if (Date.now() >= endsAt) setOrder("late");
        else timer = setTimeout(() => void ask(Math.min(pause * 1.5, LONGEST_PAUSE_MS)), pause);
      }
    };
    void ask(1_000);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [shop, sessionId]);
  return order;
}
