import { isPartlineError, type OrderLookup } from "@partline/client";
import { useEffect, useState, type ReactNode } from "react";
import { forgetCheckout } from "../cart/checkout-id.ts";
import { readCart } from "../cart-store.ts";
import { useShop } from "../context.tsx";
import { date } from "../format.ts";
import { Layout } from "../layout.tsx";
import type { PageDefinition } from "../page.ts";
import { PickupPlace } from "../parts/pickup-place.tsx";

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
  const shop = useShop();
  const { texts, user } = shop;
  const order = useOrderOf(sessionId);
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
              : [texts[successOf(order)], texts.successMail];
  useEffect(() => {
    document.title = heading;
  }, [heading]);
  return (
    <Layout>
      <div role="status">
        <h1>{heading}</h1>
        <p>{text}</p>
      </div>
      {typeof order === "object" && (
        <>
          <dl className="facts">
            <div>
              <dt>{texts.orderNumber}</dt>
              <dd>{user ? <a href={`/account/orders/${order.orderId}`}>{order.orderNumber}</a> : order.orderNumber}</dd>
            </div>
            <div>
              <dt>{texts.placed}</dt>
              <dd>{date(order.createdAt, shop)}</dd>
            </div>
          </dl>
          {order.fulfilment === "pickup" && order.status !== "cancelled" && <PickupPlace />}
          <p>
            <a href="/">{texts.home}</a>
          </p>
        </>
      )}
    </Layout>
  );
}

function successOf({ status, fulfilment }: OrderLookup): `success_${OrderLookup["status"]}` | "success_ready" {
  return fulfilment === "pickup" && status === "shipped" ? "success_ready" : `success_${status}`;
}

/** The webhook makes the order, usually before the shopper is back; until then it is asked for again. */
function useOrderOf(sessionId: string): OrderLookup | "late" | undefined {
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
