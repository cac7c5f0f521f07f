import type { CancelledOrder, Order, Shipment, ShippingAddress } from "@partline/client";
import { useRef, useState, type SubmitEvent, type ReactNode } from "react";
import { listAddressLines } from "../../shared/address-lines.ts";
import { fill } from "../../shared/language.ts";
import { useShop, type Shop } from "../context.tsx";
import { money } from "../../shared/numbers.ts";
import {
  AddressFields,
  describeMissing,
  listMissing,
  toAddress,
  type TypedAddress,
} from "../address/address-fields.tsx";
import { nameCarrier, nameMethod } from "@partline/toolkit/pure";
import { listPickupPlaces } from "../../../../../mixins/shop/shop-facts.ts";
import { date, formatShortDate } from "../format.ts";
import { Button, ButtonLink } from "../kit/button.tsx";
import { Card } from "../kit/card.tsx";
import { Icon } from "../kit/icon.tsx";
import { MAIL, PRINT } from "../kit/icons/ui.ts";
import { useAction } from "../problem.ts";
import { ProblemNotice } from "../problem-notice.tsx";
import { listReach } from "../layout.tsx";
import { Lines } from "../parts/lines.tsx";
import { Picture } from "../parts/picture.tsx";
import { describePromise } from "../parts/supply.tsx";
import type { PicturesById } from "./load-pictures.ts";
import { OrderAmounts } from "./order-amounts.tsx";
import { OrderSteps } from "./order-steps.tsx";
import { Reorder } from "./reorder.tsx";
import { Returns, type ReturnActions } from "./returns.tsx";
import { describeLineState, mayCancel, describeState } from "./order-state.ts";
import { ScriptedForm } from "../scripted-form.tsx";
import { Tracking } from "./tracking.tsx";

/** What the owner of an order can do, by a link or signed in. */
export interface OrderActions extends ReturnActions {
  cancel(): Promise<CancelledOrder>;
  setAddress(shippingAddress: ShippingAddress): Promise<Order>;
}

interface OrderViewProps {
  order: Order;
  pictures: PicturesById;
  invoice: string;
  actions: OrderActions;
  /** Has the link mailed that allows the actions, where the page itself does not. */
  onAskForLink?: (() => Promise<unknown>) | undefined;
}

export function OrderView({
  order: initialOrder,
  pictures,
  invoice,
  actions,
  onAskForLink,
}: OrderViewProps): ReactNode {
  const { texts } = useShop();
  const { run: runOnce, problem, isBusy } = useAction();
  const [order, setOrder] = useState(initialOrder);
  const heading = useRef<HTMLHeadingElement>(null);
  const [titleStart, titleEnd] = texts.orderTitle.split("{number}");

  const run = (action: () => Promise<Order>): Promise<void> =>
    runOnce(async () => {
      setOrder(await action());
      // The form that was sent goes, and the focus with it.
      heading.current?.focus();
    });

  return (
    <div className="order">
      <div className="stack">
        <div className="card">
          <h1 ref={heading} tabIndex={-1}>
            {titleStart}
            <span className="one-line">{order.orderNumber}</span>
            {titleEnd}
          </h1>
          <p role="status">{describeState(order, texts)}</p>
          <OrderSteps order={order} />
          <ProblemNotice text={problem} takesFocus />
          {onAskForLink && <LinkForm onSend={onAskForLink} />}
          {order.addressMissing && !onAskForLink && (
            <AddressForm
              address={order.shippingAddress}
              isBusy={isBusy}
              onSend={(address) => void run(() => actions.setAddress(address))}
            />
          )}
        </div>
        <OrderLines order={order} pictures={pictures} />
        <Parcels order={order} />
        {!onAskForLink && <Returns order={order} actions={actions} onChange={setOrder} />}
      </div>
      <div className="stack">
        <Card heading={texts.summary}>
          <OrderAmounts order={order} />
        </Card>
        <Facts order={order} />
        <Card className="no-print order-actions">
          <Reorder items={order.items} />
          {!onAskForLink && (
            <ButtonLink href={invoice} size="full">
              <Icon path={PRINT} size="small" />
              {texts.invoice}
            </ButtonLink>
          )}
          {mayCancel(order) && !onAskForLink && (
            <CancelForm
              isDisputed={order.disputedAmount !== undefined}
              isBusy={isBusy}
              onSend={() => void run(actions.cancel)}
            />
          )}
          <Questions />
        </Card>
      </div>
    </div>
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
      <Button isBusy={isBusy}>
        <Icon path={MAIL} size="small" />
        {texts.orderSendLink}
      </Button>
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
    <p className="small">
      {texts.orderQuestions}
      <br />
      <Lines of={reach} />
    </p>
  );
}

function OrderLines({ order, pictures }: Pick<OrderViewProps, "order" | "pictures">): ReactNode {
  const shop = useShop();
  const { texts, language } = shop;
  const { items, currency } = order;
  return (
    <Card heading={texts.orderLines}>
      <ul className="lines pictured-lines order-lines">
        {items.map((item) => (
          <li key={item.productId}>
            <Picture url={pictures[item.productId]} alt="" name={item.name} size={64} />
            <div>
              {item.quantity} × <a href={`/parts/${encodeURIComponent(item.productId)}`}>{item.name}</a>
              <div className="soft small">
                {item.partNumber}
                {item.quantity > 1 && ` · ${fill(texts.each, { price: money(item.price, currency, language) })}`}
              </div>
              <div className="soft small">
                {describeLineState(item, order, shop)}
                {item.deliveryPromise && ` · ${describePromise(item.deliveryPromise, shop)}`}
              </div>
            </div>
            <strong className="number">{money(item.total, currency, language)}</strong>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Facts({ order }: { order: Order }): ReactNode {
  const shop = useShop();
  const { texts, language, shopName, facts: shopFacts } = shop;
  const { fulfilment, pickupPlace, shippingAddress, shippingMethod, deliveryPromise: promise } = order;
  const isPickup = fulfilment === "pickup";
  return (
    <Card heading={texts.delivery}>
      {promise && <p className="delivery-day">{describePromise(promise, shop)}</p>}
      {order.items.length > 1 && order.items.some(({ quantities }) => quantities.backordered > 0) && (
        <p className="soft">{isPickup ? texts.backorderReadyLater : texts.backorderLater}</p>
      )}
      {isPickup ? (
        <>
          <p>{texts.pickupPlace}</p>
          {listPickupPlaces({ shopName, ...shopFacts }, pickupPlace).map(({ name, address, hours }, index) => (
            <p key={index}>
              <strong>{name}</strong>
              <br />
              <Lines of={[...address, ...hours]} />
            </p>
          ))}
        </>
      ) : (
        <p>
          {order.addressMissing ? (
            texts.addressUnknown
          ) : (
            <Lines of={listAddressLines(shippingAddress ?? {}, language)} />
          )}
        </p>
      )}
      <dl className="facts">
        {shippingMethod && (
          <div>
            <dt>{texts.shippingMethod}</dt>
            <dd>{nameMethod(shippingMethod, language)}</dd>
          </div>
        )}
        <div>
          <dt>{texts.placed}</dt>
          <dd>{date(order.createdAt, shop)}</dd>
        </div>
      </dl>
    </Card>
  );
}

function Parcels({ order: { shipments = [], items, fulfilment } }: { order: Order }): ReactNode {
  const shop = useShop();
  const { texts } = shop;
  if (shipments.length === 0) return null;
  const findName = (productId: string): string | undefined => items.find((item) => item.productId === productId)?.name;
  return (
    <Card heading={fulfilment === "pickup" ? texts.madeReady : texts.parcels}>
      <ul className="lines">
        {shipments.map(({ shipmentId, items: pieces, carrier, trackingNumber, ...shipment }) => (
          <li key={shipmentId}>
            {pieces
              .map(({ productId, partNumber, quantity }) => `${quantity} × ${findName(productId) ?? partNumber}`)
              .join(", ")}
            <div className="soft">
              {carrier && `${nameCarrier(carrier)} · `}
              {trackingNumber && (
                <>
                  <Tracking carrier={carrier} trackingNumber={trackingNumber} />
                  {" · "}
                </>
              )}
              {describeParcel(shipment, shop)}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Says when a parcel arrived, or left and will arrive. */
function describeParcel(
  { createdAt, expectedAt, deliveredAt, failedAt }: Omit<Shipment, "items" | "shipmentId">,
  shop: Shop,
): string {
  const { texts, language } = shop;
  if (deliveredAt) return fill(texts.deliveredOn, { date: date(deliveredAt, shop) });
  const arrival = expectedAt && fill(texts.arrivesOn, { date: formatShortDate(expectedAt, language) });
  return [date(createdAt, shop), failedAt ? texts.deliveryFailed : arrival].filter(Boolean).join(" · ");
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
      <ProblemNotice text={incompleteAddress && describeMissing(incompleteAddress, shop)} takesFocus />
      <Button kind="primary" isBusy={isBusy}>
        {texts.saveAddress}
      </Button>
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
    <ScriptedForm onSubmit={send} className="cancel-order">
      <p className="soft small">{isDisputed ? texts.cancelOrderDisputedText : texts.cancelOrderText}</p>
      <label>
        <input type="checkbox" required /> {texts.cancelSure}
      </label>
      <Button size="full" isBusy={isBusy}>
        {texts.cancelOrder}
      </Button>
    </ScriptedForm>
  );
}
