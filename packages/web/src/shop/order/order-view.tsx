import { type CancelledOrder, type Order, type ShippingAddress } from "@partline/client";
import { useRef, useState, type SubmitEvent, type ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { money } from "../../shared/numbers.ts";
import {
  AddressFields,
  describeMissing,
  listMissing,
  toAddress,
  type TypedAddress,
} from "../address/address-fields.tsx";
import { formatAddress } from "../address/use-saved-addresses.ts";
import { nameMethod } from "../../../../../mixins/shop/method-names.ts";
import { listPickupPlaces } from "../../../../../mixins/shop/shop-facts.ts";
import { findTrackingLink } from "../../../../../mixins/shop/tracking.ts";
import { date } from "../format.ts";
import { useAction } from "../problem.ts";
import { ProblemNotice } from "../problem-notice.tsx";
import { listReach } from "../layout.tsx";
import { Lines } from "../parts/lines.tsx";
import { Returns, type ReturnActions } from "./returns.tsx";
import { lineStateOf, mayCancel, stateOf } from "./order-state.ts";
import { ScriptedForm } from "../scripted-form.tsx";

/** What the owner of an order can do, by a link or signed in. */
export interface OrderActions extends ReturnActions {
  cancel(): Promise<CancelledOrder>;
  setAddress(shippingAddress: ShippingAddress): Promise<Order>;
}

interface OrderViewProps {
  order: Order;
  invoice: string;
  actions: OrderActions;
  /** Has the link mailed that allows the actions, where the page itself does not. */
  onAskForLink?: (() => Promise<unknown>) | undefined;
}

export function OrderView({ order: initialOrder, invoice, actions, onAskForLink }: OrderViewProps): ReactNode {
  const { texts } = useShop();
  const { run: runOnce, problem, isBusy } = useAction();
  const [order, setOrder] = useState(initialOrder);
  const heading = useRef<HTMLHeadingElement>(null);

  const run = (action: () => Promise<Order>): Promise<void> =>
    runOnce(async () => {
      setOrder(await action());
      // The form that was sent goes, and the focus with it.
      heading.current?.focus();
    });

  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {fill(texts.orderTitle, { number: order.orderNumber })}
      </h1>
      <p role="status">{stateOf(order, texts)}</p>
      <ProblemNotice text={problem} />
      {onAskForLink && <LinkForm onSend={onAskForLink} />}
      {order.addressMissing && !onAskForLink && (
        <AddressForm
          address={order.shippingAddress}
          isBusy={isBusy}
          onSend={(address) => void run(() => actions.setAddress(address))}
        />
      )}
      <OrderLines order={order} />
      <Facts order={order} />
      <Parcels order={order} />
      {!onAskForLink && (
        <>
          <Returns order={order} actions={actions} onChange={setOrder} />
          <p className="no-print">
            <a href={invoice}>{texts.invoice}</a>
          </p>
        </>
      )}
      <Questions />
      {mayCancel(order) && !onAskForLink && (
        <CancelForm
          isDisputed={order.disputedAmount !== undefined}
          isBusy={isBusy}
          onSend={() => void run(actions.cancel)}
        />
      )}
    </>
  );
}

function LinkForm({ onSend }: { onSend: () => Promise<unknown> }): ReactNode {
  const { texts } = useShop();
  const { run, problem, isBusy } = useAction();
  const [isSent, setIsSent] = useState(false);
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => {
      await onSend();
      setIsSent(true);
    });
  };
  return (
    <ScriptedForm onSubmit={send} className="no-print">
      <p className="soft">{texts.orderReadOnly}</p>
      <button aria-busy={isBusy}>{texts.orderSendLink}</button>
      <p role="status">{isSent && texts.orderLinkSent}</p>
      <ProblemNotice text={problem} />
    </ScriptedForm>
  );
}

function Questions(): ReactNode {
  const { texts, facts } = useShop();
  const reach = listReach(facts);
  if (reach.length === 0) return null;
  return (
    <p>
      {texts.orderQuestions} <Lines of={reach} />
    </p>
  );
}

function OrderLines({ order }: { order: Order }): ReactNode {
  const shop = useShop();
  const { texts, language } = shop;
  const { items, currency } = order;
  return (
    <ul className="lines order-lines">
      {items.map((item) => (
        <li key={item.productId}>
          <span>
            {item.quantity} × <a href={`/parts/${encodeURIComponent(item.productId)}`}>{item.name}</a>
          </span>{" "}
          <span className="number">{money(item.total, currency, language)}</span>
          <div className="soft">
            {item.partNumber} ·{" "}
            {item.quantity > 1 && `${fill(texts.each, { price: money(item.price, currency, language) })} · `}
            {lineStateOf(item, order, shop)}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Facts({ order }: { order: Order }): ReactNode {
  const shop = useShop();
  const { texts, language, shopName, facts: shopFacts } = shop;
  const {
    currency,
    subtotal,
    discount,
    shipping,
    tax,
    includedTax,
    total,
    refundedAmount,
    fulfilment,
    pickupPlace,
    shippingAddress,
    shippingMethod,
    disputedAmount,
  } = order;
  const price = (value: number): string => money(value, currency, language);
  const placeNames = listPickupPlaces({ shopName, ...shopFacts }, pickupPlace)
    .map(({ name, address, hours }) => {
      const place = [name, ...address].join(", ");
      return hours.length > 0 ? `${place} (${hours.join(", ")})` : place;
    })
    .join("; ");
  const facts: [string, string][] = [
    [texts.placed, date(order.createdAt, shop)],
    [texts.subtotal, price(subtotal)],
    ...(discount ? [[texts.discount, price(-discount)] satisfies [string, string]] : []),
    [texts.shipping, price(shipping)],
    [texts.tax, price(tax)],
    ...(includedTax ? [[texts.includedTax, price(-includedTax)] satisfies [string, string]] : []),
    [texts.total, price(total)],
    ...(refundedAmount > 0 ? [[texts.refunded, price(refundedAmount)] satisfies [string, string]] : []),
    ...(disputedAmount ? [[texts.disputedMoney, price(disputedAmount)] satisfies [string, string]] : []),
    ...(shippingMethod
      ? [[texts.shippingMethod, nameMethod(shippingMethod, language)] satisfies [string, string]]
      : []),
    fulfilment === "pickup"
      ? [texts.delivery, `${texts.pickupPlace}, ${placeNames}`]
      : [texts.goesTo, order.addressMissing ? texts.addressUnknown : formatAddress(shippingAddress ?? {})],
  ];
  return (
    <dl className="facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="number">{label === texts.total ? <strong>{value}</strong> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Parcels({ order: { shipments = [], items, fulfilment } }: { order: Order }): ReactNode {
  const shop = useShop();
  const { texts } = shop;
  if (shipments.length === 0) return null;
  const nameOf = (productId: string): string | undefined => items.find((item) => item.productId === productId)?.name;
  return (
    <section>
      <h2>{fulfilment === "pickup" ? texts.madeReady : texts.parcels}</h2>
      <ul className="lines">
        {shipments.map(({ shipmentId, items: pieces, carrier, trackingNumber, createdAt, deliveredAt }) => (
          <li key={shipmentId}>
            {pieces
              .map(({ productId, partNumber, quantity }) => `${quantity} × ${nameOf(productId) ?? partNumber}`)
              .join(", ")}
            <div className="soft">
              {carrier && `${carrier} · `}
              {trackingNumber && (
                <>
                  <Tracking carrier={carrier} trackingNumber={trackingNumber} />
                  {" · "}
                </>
              )}
              {deliveredAt ? fill(texts.deliveredOn, { date: date(deliveredAt, shop) }) : date(createdAt, shop)}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Tracking({ carrier, trackingNumber }: { carrier?: string | undefined; trackingNumber: string }): ReactNode {
  const link = findTrackingLink(carrier, trackingNumber);
  return link === undefined ? (
    trackingNumber
  ) : (
    <a href={link} rel="noreferrer">
      {trackingNumber}
    </a>
  );
}

interface AddressFormProps {
  address: ShippingAddress | undefined;
  isBusy: boolean;
  onSend: (address: ShippingAddress) => void;
}

function AddressForm({ address, isBusy, onSend }: AddressFormProps): ReactNode {
  const shop = useShop();
  const { texts, shipTo } = shop;
  const [fields, setFields] = useState<TypedAddress>(address ?? {});
  const [incompleteAddress, setIncompleteAddress] = useState<ShippingAddress>();
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const wholeAddress = toAddress(fields, shipTo);
    if (listMissing(wholeAddress).length > 0) setIncompleteAddress(wholeAddress);
    else onSend(wholeAddress);
  };
  return (
    <ScriptedForm onSubmit={send} className="place no-print" noValidate>
      <h2>{texts.addressTitle}</h2>
      <p className="soft">{texts.addressText}</p>
      <AddressFields
        address={fields}
        onChange={(next) => {
          setFields(next);
          setIncompleteAddress(undefined);
        }}
        refused={incompleteAddress ? listMissing(incompleteAddress) : []}
        isBusy={isBusy}
      />
      <ProblemNotice text={incompleteAddress && describeMissing(incompleteAddress, shop)} />
      <button className="primary" aria-busy={isBusy}>
        {texts.saveAddress}
      </button>
    </ScriptedForm>
  );
}

interface CancelFormProps {
  isDisputed: boolean;
  isBusy: boolean;
  onSend: () => void;
}

function CancelForm({ isDisputed, isBusy, onSend }: CancelFormProps): ReactNode {
  const { texts } = useShop();
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    onSend();
  };
  return (
    <ScriptedForm onSubmit={send} className="no-print">
      <p className="soft">{isDisputed ? texts.cancelOrderDisputedText : texts.cancelOrderText}</p>
      <label>
        <input type="checkbox" required /> {texts.cancelSure}
      </label>
      <p>
        <button aria-busy={isBusy}>{texts.cancelOrder}</button>
      </p>
    </ScriptedForm>
  );
}
