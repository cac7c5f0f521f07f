import { isPartlineError, type CartItem, type ShippingAddress, type ShippingQuote } from "@partline/client";
import { useState, type ChangeEvent, type ReactNode, type SubmitEvent } from "react";
import { fill } from "../../shared/language.ts";
import { usePartline, useShop } from "../context.tsx";
import { money } from "../../shared/numbers.ts";
import { PickupPlace } from "../parts/pickup-place.tsx";
import { useProblem } from "../problem.ts";
import { ScriptedForm } from "../scripted-form.tsx";
import { refusalsOf, type Refusals } from "./refusals.ts";

export type Delivery =
  { fulfilment: "pickup" } | { fulfilment: "ship"; method: ShippingQuote; shippingAddress: ShippingAddress };

interface DeliveryProps {
  items: CartItem[];
  chosen: Delivery | undefined;
  onChoose: (delivery: Delivery | undefined) => void;
  /** What a quote refused of the items. */
  onRefused: (refusals: Refusals | undefined) => void;
}

/** How the order gets to the shopper. Costs are the server's word, for these items and this place. */
export function DeliveryChoice({ items, chosen, onChoose, onRefused }: DeliveryProps): ReactNode {
  const { texts } = useShop();
  const [isPickup, setIsPickup] = useState(false);
  const [place, setPlace] = useState<Place>({ country: "US", state: "", postalCode: "" });
  const choose = (pickup: boolean): void => {
    setIsPickup(pickup);
    onChoose(pickup ? { fulfilment: "pickup" } : undefined);
  };
  return (
    <fieldset>
      <legend>
        <h2>{texts.delivery}</h2>
      </legend>
      {[false, true].map((pickup) => (
        <label key={String(pickup)}>
          <input type="radio" name="fulfilment" checked={isPickup === pickup} onChange={() => choose(pickup)} />{" "}
          {pickup ? texts.deliveryPickup : texts.deliveryShip}
        </label>
      ))}
      {isPickup && <PickupPlace />}
      {!isPickup && (
        <Methods
          // What was quoted is for other items, once they change.
          key={JSON.stringify(items)}
          place={place}
          onPlace={setPlace}
          items={items}
          chosen={chosen}
          onChoose={onChoose}
          onRefused={onRefused}
        />
      )}
    </fieldset>
  );
}

/** Where it goes, as far as costs depend on it. */
interface Place {
  country: string;
  state: string;
  postalCode: string;
}

interface MethodsProps extends DeliveryProps {
  place: Place;
  onPlace: (place: Place) => void;
}

function Methods({ items, chosen, onChoose, onRefused, place, onPlace }: MethodsProps): ReactNode {
  const { texts, language } = useShop();
  const partline = usePartline();
  const describeProblem = useProblem();
  const [methods, setMethods] = useState<ShippingQuote[]>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  const destination = {
    country: place.country.toUpperCase(),
    state: place.state.trim() || undefined,
    postalCode: place.postalCode.trim() || undefined,
  };
  const shipBy = (method: ShippingQuote): void =>
    onChoose({ fulfilment: "ship", method, shippingAddress: destination });
  const days = (count: number): string => (count === 1 ? texts.shippingDayOne : fill(texts.shippingDays, { count }));
  const field = (name: keyof Place) => ({
    name,
    value: place[name],
    // The answer that is awaited is for the place as it is.
    readOnly: isBusy,
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      onPlace({ ...place, [name]: event.target.value });
      // What was quoted is for the place before.
      setMethods(undefined);
      onChoose(undefined);
    },
  });
  const ask = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    setProblem(undefined);
    onChoose(undefined);
    onRefused(undefined);
    try {
      const quotes = await partline.payment.quoteShipping({
        items,
        destination,
      });
      setMethods(quotes.methods);
      if (quotes.methods[0]) shipBy(quotes.methods[0]);
    } catch (error) {
      if (!isPartlineError(error)) throw error;
      setMethods(undefined);
      const refusals = refusalsOf(error);
      if (refusals) onRefused(refusals);
      else setProblem(describeProblem(error));
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <>
      <ScriptedForm onSubmit={(event) => void ask(event)} className="place">
        <label>
          {texts.country}
          <input {...field("country")} required pattern="[A-Za-z]{2}" maxLength={2} autoComplete="shipping country" />
        </label>
        <label>
          {texts.state}
          <input {...field("state")} maxLength={100} autoComplete="shipping address-level1" />
        </label>
        <label>
          {texts.postalCode}
          <input {...field("postalCode")} maxLength={30} autoComplete="shipping postal-code" />
        </label>
        <button aria-busy={isBusy}>{texts.showShipping}</button>
      </ScriptedForm>
      {problem !== undefined && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
      {methods && (
        <div role="radiogroup" aria-label={texts.shippingMethod}>
          {methods.length === 0 && <p role="status">{texts.shippingNone}</p>}
          {methods.map((method) => (
            <label key={method.quote}>
              <input
                type="radio"
                name="method"
                checked={chosen?.fulfilment === "ship" && chosen.method.quote === method.quote}
                onChange={() => shipBy(method)}
              />{" "}
              {method.provider} {method.serviceType},{" "}
              <span className="number">
                {method.cost === 0 ? texts.shippingFree : money(method.cost, "usd", language)}
              </span>
              {method.estimatedDays !== undefined && `, ${days(method.estimatedDays)}`}
            </label>
          ))}
        </div>
      )}
    </>
  );
}
