import { isPartlineError, type CartItem, type ShippingAddress, type ShippingQuote } from "@partline/client";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { nameMethod } from "@partline/toolkit/pure";
import { fill } from "../../shared/language.ts";
import {
  AddressFields,
  describeMissing,
  listMissing,
  toAddress,
  type TypedAddress,
} from "../address/address-fields.tsx";
import { formatAddress, useSavedAddresses } from "../address/use-saved-addresses.ts";
import { usePartline, useShop } from "../context.tsx";
import { money } from "../../shared/numbers.ts";
import { Button } from "../kit/button.tsx";
import { Field } from "../kit/field.tsx";
import { Icon } from "../kit/icon.tsx";
import { STORE, TRUCK } from "../kit/icons/ui.ts";
import { describeDay, type Transit } from "../parts/supply.tsx";
import type { ReadyDay } from "../parts/pieces.ts";
import { PickupPlace } from "../parts/pickup-place.tsx";
import { findRefusedFields } from "../problem-text.ts";
import { ProblemNotice } from "../problem-notice.tsx";
import { useProblem } from "../problem.ts";
import { ScriptedForm } from "../scripted-form.tsx";
import { keepDelivery, readDelivery, resolvePickupPlace, type KeptDelivery } from "./kept-delivery.ts";
import { readRefusals, type Refusals } from "./refusals.ts";

export const DELIVERY_ID = "delivery";

export type Delivery =
  | { fulfilment: "pickup"; pickupPlace: string | undefined }
  | { fulfilment: "ship"; method: ShippingQuote; shippingAddress: ShippingAddress };

export const toTransit = (delivery: Delivery): Transit => ({
  isPickup: delivery.fulfilment === "pickup",
  pickupPlace: delivery.fulfilment === "pickup" ? delivery.pickupPlace : undefined,
  carrierDays: delivery.fulfilment === "ship" ? delivery.method.estimatedDays : undefined,
});

interface DeliveryProps {
  items: CartItem[];
  /** When the last piece is ready; undefined if nobody knows. */
  ready: ReadyDay | undefined;
  /** Whether pieces lie at another place than the chosen one. */
  isElsewhere: boolean;
  chosen: Delivery | undefined;
  onChoose: (delivery: Delivery | undefined) => void;
  /** What a quote refused of the items. */
  onRefused: (refusals: Refusals | undefined) => void;
}

/** How the order gets to the shopper. Costs are the server's word, for these items and this address. */
export function DeliveryChoice({ items, ready, isElsewhere, chosen, onChoose, onRefused }: DeliveryProps): ReactNode {
  const shop = useShop();
  const { texts, user, facts } = shop;
  const pickupDay = describeDay(ready, { isPickup: true }, shop);
  const [wish, setWish] = useState<KeptDelivery>({ isPickup: false, address: {} });
  const [isRestored, setIsRestored] = useState(false);
  const saved = useSavedAddresses();
  const change = (next: KeptDelivery): void => {
    setWish(next);
    keepDelivery(user?.id, next);
  };
  useEffect(() => {
    const lastWish = readDelivery(user?.id);
    if (lastWish) {
      setWish(lastWish);
      if (lastWish.isPickup) onChoose(pickUp(lastWish));
    }
    setIsRestored(true);
    // Once: what is kept is what this page shows from then on.
  }, []);
  const isTyped = Object.values(wish.address).some((value) => value !== "");
  useEffect(() => {
    const [latest] = saved ?? [];
    if (isRestored && latest && !isTyped) change({ ...wish, address: latest });
    // What is typed meanwhile stays.
  }, [saved, isRestored]);
  const pickUp = (delivery: KeptDelivery): Delivery => ({
    fulfilment: "pickup",
    pickupPlace: resolvePickupPlace(delivery, facts.pickupPlaces),
  });
  const choose = (next: KeptDelivery): void => {
    change(next);
    onChoose(next.isPickup ? pickUp(next) : undefined);
  };
  return (
    <fieldset className="card" id={DELIVERY_ID} tabIndex={-1}>
      <legend>
        <h2>{texts.delivery}</h2>
      </legend>
      <div className="options two">
        {[false, true].map((isPickup) => (
          <label key={String(isPickup)} className="option">
            <input
              type="radio"
              name="fulfilment"
              checked={wish.isPickup === isPickup}
              onChange={() => choose({ ...wish, isPickup })}
            />
            <span className="option-name">{isPickup ? texts.deliveryPickup : texts.deliveryShip}</span>
            <Icon path={isPickup ? STORE : TRUCK} />
          </label>
        ))}
      </div>
      {wish.isPickup && (
        <PickupPlace
          chosenId={chosen?.fulfilment === "pickup" ? chosen.pickupPlace : undefined}
          onChoose={(pickupPlace) => choose({ ...wish, pickupPlace })}
        />
      )}
      {wish.isPickup && pickupDay !== undefined && <p className="delivery-day">{pickupDay}</p>}
      {wish.isPickup && isElsewhere && <p className="delivery-day">{texts.pickupTransfer}</p>}
      {!wish.isPickup && (
        <Methods
          // What was quoted is for other items, once they change; the method is asked for again.
          key={`${isRestored} ${JSON.stringify(items)}`}
          wish={wish}
          onWish={change}
          saved={saved}
          items={items}
          ready={ready}
          chosen={chosen}
          onChoose={onChoose}
          onRefused={onRefused}
        />
      )}
    </fieldset>
  );
}

interface MethodsProps extends Omit<DeliveryProps, "isElsewhere"> {
  wish: KeptDelivery;
  onWish: (wish: KeptDelivery) => void;
  saved: readonly ShippingAddress[] | undefined;
}

function Methods({ items, ready, chosen, onChoose, onRefused, wish, onWish, saved = [] }: MethodsProps): ReactNode {
  const shop = useShop();
  const { texts, language, shipTo } = shop;
  const partline = usePartline();
  const describeProblem = useProblem();
  const [methods, setMethods] = useState<ShippingQuote[]>();
  const [problem, setProblem] = useState<{ text: string; fields: readonly string[]; isPressed: boolean }>();
  const [isBusy, setIsBusy] = useState(false);
  const leaving = useRef(new AbortController());

  const shippingAddress = toAddress(wish.address, shipTo);
  const shipBy = (method: ShippingQuote): void => {
    const { provider, serviceType, estimatedDays } = method;
    onWish({ ...wish, method: { provider, serviceType, estimatedDays } });
    onChoose({ fulfilment: "ship", method, shippingAddress });
  };
  const changeAddress = (address: TypedAddress): void => {
    onWish({ ...wish, address });
    // What was quoted is for the address before.
    setMethods(undefined);
    setProblem(undefined);
    onChoose(undefined);
  };
  const ask = async (isPressed: boolean): Promise<void> => {
    if (isBusy) return;
    const missingText = describeMissing(shippingAddress, shop);
    if (missingText !== undefined) {
      setProblem({ text: missingText, fields: listMissing(shippingAddress), isPressed });
      return;
    }
    const { signal } = leaving.current;
    setIsBusy(true);
    setProblem(undefined);
    onChoose(undefined);
    onRefused(undefined);
    try {
      const { country, state, postalCode } = shippingAddress;
      const destination = { country: country ?? "", state, postalCode };
      const quotes = await partline.payment.quoteShipping({ items, destination }, { signal });
      if (signal.aborted) return;
      setMethods(quotes.methods);
      const sameAgain = quotes.methods.find(
        (method) => nameMethod(method) === (wish.method && nameMethod(wish.method)),
      );
      const first = sameAgain ?? quotes.methods[0];
      if (first) shipBy(first);
    } catch (error) {
      if (signal.aborted) return;
      if (!isPartlineError(error)) throw error;
      setMethods(undefined);
      const refusals = readRefusals(error);
      if (refusals) onRefused(refusals);
      else setProblem({ text: describeProblem(error), fields: findRefusedFields(error), isPressed });
    } finally {
      setIsBusy(false);
    }
  };
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    if (wish.method) void ask(false);
    return () => controller.abort();
    // At the start: the costs that were shown are for the items before.
  }, []);
  const describeTime = (carrierDays: number): string =>
    describeDay(ready, { isPickup: false, carrierDays }, shop) ??
    (carrierDays === 1 ? texts.shippingDayOne : fill(texts.shippingDays, { count: carrierDays }));

  return (
    <>
      <ScriptedForm
        onSubmit={(event) => {
          event.preventDefault();
          void ask(true);
        }}
        className="place"
        // The browser would say what is missing in its own language.
        noValidate
      >
        {saved.length > 1 && (
          <Field label={texts.savedAddress} isWide>
            {(control) => (
              <select
                {...control}
                value={saved.findIndex((address) => formatAddress(address) === formatAddress(shippingAddress))}
                disabled={isBusy}
                onChange={(event) => changeAddress(saved[Number(event.target.value)] ?? {})}
              >
                <option value={-1}>{texts.otherAddress}</option>
                {saved.map((address, index) => (
                  <option key={index} value={index}>
                    {formatAddress(address)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <AddressFields
          address={wish.address}
          onChange={changeAddress}
          refused={problem?.fields ?? []}
          isBusy={isBusy}
        />
        <Button isBusy={isBusy}>{texts.showShipping}</Button>
      </ScriptedForm>
      <ProblemNotice text={problem?.text} takesFocus={problem?.isPressed ?? false} />
      {methods && (
        <div role="radiogroup" aria-label={texts.shippingMethod} className="options">
          {methods.length === 0 && <p role="status">{texts.shippingNone}</p>}
          {methods.map((method) => (
            <label key={method.quote} className="option">
              <input
                type="radio"
                name="method"
                checked={chosen?.fulfilment === "ship" && chosen.method.quote === method.quote}
                onChange={() => shipBy(method)}
              />
              <span className="option-name">{nameMethod(method, language)}</span>
              <Apart />
              <strong className="number">
                {method.cost === 0 ? texts.shippingFree : money(method.cost, "usd", language)}
              </strong>
              {method.estimatedDays !== undefined && (
                <>
                  <Apart />
                  <span className="soft option-time">{describeTime(method.estimatedDays)}</span>
                </>
              )}
            </label>
          ))}
        </div>
      )}
    </>
  );
}

/** Keeps words apart for those who do not see their places. */
const Apart = (): ReactNode => <span className="hidden"> · </span>;
