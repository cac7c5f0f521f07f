import type { Order, OrderItem, OrderReturn, ReturnReceipt } from "@partline/client";
import { useRef, useState, type ReactNode, type SubmitEvent } from "react";
import {
  LONGEST_RETURN_COMMENT,
  MOST_RETURN_PHOTOS,
  RETURN_REASONS,
} from "../../../../../mixins/shop/return-limits.ts";
import { findLastReturnDay } from "../../../../../mixins/shop/return-terms.ts";
import { createZoneDays } from "../../../../../mixins/shop/shop-days.ts";
import { nameCarrier } from "@partline/toolkit/pure";
import { fill } from "../../shared/language.ts";
import { money } from "../../shared/numbers.ts";
import { useShop } from "../context.tsx";
import { date } from "../format.ts";
import { Button } from "../kit/button.tsx";
import { Field } from "../kit/field.tsx";
import { Icon } from "../kit/icon.tsx";
import { RETURN } from "../kit/icons/ui.ts";
import { useAction } from "../problem.ts";
import { ProblemNotice } from "../problem-notice.tsx";
import { ScriptedForm } from "../scripted-form.tsx";
import { countReturnable, describeReturn } from "./order-state.ts";
import { Tracking } from "./tracking.tsx";

type ReturnReason = (typeof RETURN_REASONS)[number];

/** What the owner of an order can do about returns, by a link or signed in. */
export interface ReturnActions {
  requestReturn(request: {
    lines: { productId: string; quantity: number }[];
    reason: ReturnReason;
    comment?: string;
  }): Promise<Order>;
  addPhoto(returnId: string, body: File): Promise<Order>;
  cancelReturn(returnId: string): Promise<Order>;
}

interface ReturnsProps {
  order: Order;
  actions: ReturnActions;
  onChange: (order: Order) => void;
}

/** The returns of an order, and the form that asks for another. */
export function Returns({ order, actions, onChange }: ReturnsProps): ReactNode {
  const { texts, facts, timeZone } = useShop();
  const heading = useRef<HTMLHeadingElement>(null);
  const { returns = [], items } = order;
  const days = createZoneDays(timeZone);
  const until = findLastReturnDay(order, facts.returns, days);
  const returnable = countReturnable(order);
  const mayAsk = until !== undefined && days.findDay(new Date()) <= until && returnable.size > 0;
  if (returns.length === 0 && !mayAsk) return null;
  return (
    <section className="card" aria-label={texts.returns}>
      <h2 ref={heading} tabIndex={-1}>
        {texts.returns}
      </h2>
      <ul className="lines">
        {returns.map((orderReturn) => (
          <Return
            key={orderReturn.returnId}
            {...{ order, orderReturn, actions, onChange }}
            onCancelled={(next) => {
              onChange(next);
              heading.current?.focus();
            }}
          />
        ))}
      </ul>
      {mayAsk && (
        <details className="no-print" key={returns.length}>
          <summary className="button">
            <Icon path={RETURN} size="small" />
            {texts.returnAsk}
          </summary>
          <RequestForm
            items={items.filter(({ productId }) => returnable.has(productId))}
            {...{ order, returnable, until, actions }}
            onDone={(next) => {
              onChange(next);
              heading.current?.focus();
            }}
          />
        </details>
      )}
    </section>
  );
}

interface ReturnProps extends ReturnsProps {
  orderReturn: OrderReturn;
  onCancelled: (order: Order) => void;
}

function Return({ order, orderReturn, actions, onChange, onCancelled }: ReturnProps): ReactNode {
  const shop = useShop();
  const { texts } = shop;
  const { run, problem, isBusy } = useAction();
  const { returnId, items, createdAt, state, cancelledAt, awaited, received, receipts } = orderReturn;
  const { photos = [], refusal } = order.returnDetails?.find((details) => details.returnId === returnId) ?? {};
  const isOpen = state === "requested" || (state === "approved" && awaited.length > 0);
  const missing = items
    .map((item) => ({ ...item, quantity: item.quantity - countPieces(received, item.productId) }))
    .filter(({ quantity }) => quantity > 0);
  const isUntouched = cancelledAt === undefined && received.length === 0 && (isOpen || awaited.length > 0);
  return (
    <li>
      {listPieces(items, order)}
      <div className="soft">
        {date(createdAt, shop)} · {photos.length > 0 && `${fill(texts.returnPhotoCount, { count: photos.length })} · `}
        {describeReturn(orderReturn, texts)}
      </div>
      {receipts.map((receipt) => (
        <div key={receipt.receivedAt}>{describeReceipt(receipt, order, shop)}</div>
      ))}
      {received.length > 0 && missing.length > 0 && (
        <div>
          {fill(cancelledAt === undefined ? texts.returnAwaited : texts.returnRestCancelled, {
            items: listPieces(missing, order),
          })}
        </div>
      )}
      {refusal !== undefined && <p>{refusal}</p>}
      {state !== "requested" && awaited.length > 0 && <SendTo orderReturn={orderReturn} order={order} />}
      {isOpen && cancelledAt === undefined && photos.length < MOST_RETURN_PHOTOS && (
        <div className="return-photo no-print">
          <Field label={fill(texts.returnAddPhoto, { count: MOST_RETURN_PHOTOS })}>
            {(control) => (
              <input
                {...control}
                type="file"
                accept="image/*"
                disabled={isBusy}
                onChange={({ target }) => {
                  const [photo] = target.files ?? [];
                  if (photo) void run(async () => onChange(await actions.addPhoto(returnId, photo)));
                  target.value = "";
                }}
              />
            )}
          </Field>
        </div>
      )}
      {isUntouched && (
        <details className="no-print">
          <summary>{texts.returnCancel}</summary>
          <p className="soft small">{orderReturn.label ? texts.returnCancelLabelText : texts.returnCancelText}</p>
          <Button
            isBusy={isBusy}
            onClick={() => void run(async () => onCancelled(await actions.cancelReturn(returnId)))}
          >
            {texts.returnCancelSubmit}
          </Button>
        </details>
      )}
      <ProblemNotice text={problem} />
    </li>
  );
}

function countPieces(pieces: OrderReturn["items"], product: string): number {
  return pieces.reduce((sum, { productId, quantity }) => sum + (productId === product ? quantity : 0), 0);
}

/** Names pieces in the words of the order's lines. */
function listPieces(pieces: OrderReturn["items"], { items }: Order): string {
  return pieces
    .map(({ productId, partNumber, quantity }) => {
      const name = items.find((item) => item.productId === productId)?.name ?? partNumber;
      return `${quantity} × ${name}`;
    })
    .join(", ");
}

/** What came at once, in which state, and what it is refunded with. */
function describeReceipt(receipt: ReturnReceipt, order: Order, shop: ReturnType<typeof useShop>): string {
  const { texts, language } = shop;
  const { items, condition, receivedAt, restockingFee } = receipt;
  const lines = receipt.lines ?? items.map((item) => ({ ...item, condition }));
  const formatMoney = (amount: number): string => money(amount, order.currency, language);
  const pieces = lines.map((line) =>
    line.condition === "damaged" || line.condition === "incomplete"
      ? `${listPieces([line], order)} (${texts[`returnCondition_${line.condition}`]})`
      : listPieces([line], order),
  );
  return [
    fill(texts.returnArrived, { items: pieces.join(", "), date: date(receivedAt, shop) }),
    fill(texts.returnRefund, { amount: formatMoney(receipt.refunded) }),
    restockingFee > 0 && fill(texts.returnFeeKept, { fee: formatMoney(restockingFee) }),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Where approved pieces go, and what is kept of the refund. */
function SendTo({ orderReturn, order }: { orderReturn: OrderReturn; order: Order }): ReactNode {
  const { texts, language, shopName, facts } = useShop();
  const { restockingFee, label, received } = orderReturn;
  const { state, url, carrier, trackingNumber } = label ?? {};
  const number = order.orderNumber;
  const sendTo =
    facts.address.length > 0
      ? fill(texts.returnSendTo, { number, address: [shopName, ...facts.address].join(", ") })
      : fill(texts.returnAskWhere, { number });
  const isLabelled = url !== undefined && received.length === 0;
  return (
    <>
      {isLabelled && (
        <div>
          <a href={url} target="_blank" rel="noreferrer">
            {texts.returnLabel}
          </a>
          {trackingNumber && (
            <>
              {" · "}
              <Tracking carrier={carrier} trackingNumber={trackingNumber} />
            </>
          )}
        </div>
      )}
      <p>
        {isLabelled && fill(texts.returnHandOver, { number, carrier: nameCarrier(carrier ?? "") })}
        {(label === undefined || received.length > 0) && sendTo}
        {state === "pending" && texts.returnLabelSoon}
        {restockingFee > 0 &&
          received.length === 0 &&
          ` ${fill(texts.returnFee, { fee: money(restockingFee, order.currency, language) })}`}
      </p>
    </>
  );
}

interface RequestFormProps {
  order: Order;
  items: OrderItem[];
  returnable: ReadonlyMap<string, number>;
  until: string;
  actions: ReturnActions;
  onDone: (order: Order) => void;
}

function RequestForm({ order, items, returnable, until, actions, onDone }: RequestFormProps): ReactNode {
  const shop = useShop();
  const { texts, language, facts } = shop;
  const { run, problem, isBusy } = useAction();
  const [quantities, setQuantities] = useState<Record<string, string>>({});
  const [isEmpty, setIsEmpty] = useState(false);
  const send = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const lines = Object.entries(quantities)
      .map(([productId, quantity]) => ({ productId, quantity: Number(quantity) }))
      .filter(({ quantity }) => quantity > 0);
    setIsEmpty(lines.length === 0);
    if (lines.length === 0) return;
    const reason = fields.get("reason") as ReturnReason;
    const comment = (fields.get("comment") as string).trim();
    void run(async () => onDone(await actions.requestReturn({ lines, reason, ...(comment !== "" && { comment }) })));
  };
  const { fee } = facts.returns;
  return (
    <ScriptedForm onSubmit={send} className="place">
      <p className="soft">
        {fill(texts.returnUntil, { date: date(until, shop) })}
        {fee > 0 && ` ${fill(texts.returnTermsFee, { fee: money(fee, order.currency, language) })}`}
      </p>
      {items.map(({ productId, name, partNumber }) => (
        <Field
          key={productId}
          label={fill(texts.returnPieces, { name, number: partNumber, count: returnable.get(productId) ?? 0 })}
        >
          {(control) => (
            <input
              {...control}
              type="number"
              min={0}
              max={returnable.get(productId)}
              value={quantities[productId] ?? "0"}
              onChange={(event) => setQuantities({ ...quantities, [productId]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <Field label={texts.returnReason} isWide>
        {(control) => (
          <select {...control} name="reason" required defaultValue="">
            <option value="">{texts.returnChooseReason}</option>
            {RETURN_REASONS.map((reason) => (
              <option key={reason} value={reason}>
                {texts[`returnReason_${reason}`]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={texts.returnComment} isWide hint={texts.returnPhotosLater}>
        {(control) => <textarea {...control} name="comment" rows={3} maxLength={LONGEST_RETURN_COMMENT} />}
      </Field>
      <ProblemNotice text={problem ?? (isEmpty ? texts.returnNothing : undefined)} />
      <Button kind="primary" isBusy={isBusy}>
        {texts.returnSend}
      </Button>
    </ScriptedForm>
  );
}
