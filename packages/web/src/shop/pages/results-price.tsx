import type { Facets } from "@partline/client";
import { useRef, useState, type PointerEvent, type ReactNode } from "react";
import { useShop } from "../context.tsx";
import { money } from "../../shared/numbers.ts";
import { Button } from "../kit/button.tsx";
import { useHasScript } from "../use-has-script.ts";
import { findStops, listPriceStops } from "./price-stops.ts";
import { pricesIn } from "./results-query.ts";

interface PriceFilterProps {
  params: URLSearchParams;
  price: Facets["price"];
  /** With a script, a thumb that is let go is enough. */
  isSentAtOnce: boolean;
}

const NAMES = ["minPrice", "maxPrice"] as const;
type BoundName = (typeof NAMES)[number];

/** Renders the bounds of the price: two number fields, which are sent, and above them a slider that fills them in. */
export function PriceFilter({ params, price: { min, max }, isSentAtOnce }: PriceFilterProps): ReactNode {
  const { texts, language } = useShop();
  const fields = { minPrice: useRef<HTMLInputElement>(null), maxPrice: useRef<HTMLInputElement>(null) };
  const stops = min === null || max === null || min >= max ? [] : listPriceStops(min, max);
  const bounds = pricesIn(params);
  const [thumbs, setThumbs] = useState(() => findStops(stops, bounds));
  const readBound = (name: BoundName): number | undefined => fields[name].current?.valueAsNumber || undefined;

  const moveTo = (name: BoundName, stop: number): void => {
    const next =
      name === "minPrice"
        ? { ...thumbs, low: Math.min(stop, thumbs.high) }
        : { ...thumbs, high: Math.max(stop, thumbs.low) };
    setThumbs(next);
    // At an end, nothing is narrowed: prices may change meanwhile.
    const { low, high } = next;
    const value = name === "minPrice" ? low > 0 && stops[low] : high < stops.length - 1 && stops[high];
    const field = fields[name].current;
    if (field) field.value = value === false || value === undefined ? "" : String(value);
  };
  const send = (): void => {
    const { minPrice, maxPrice } = bounds;
    if (isSentAtOnce && (readBound("minPrice") !== minPrice || readBound("maxPrice") !== maxPrice))
      fields.minPrice.current?.form?.requestSubmit();
  };

  return (
    <fieldset>
      <legend>{texts.price}</legend>
      {stops.length > 2 && <Slider stops={stops} thumbs={thumbs} onMove={moveTo} onRelease={send} />}
      <div className="price-fields">
        {NAMES.map((name) => {
          const bound = name === "minPrice" ? min : max;
          return (
            <label key={name}>
              <span className="hidden">{name === "minPrice" ? texts.priceFrom : texts.priceTo}</span>
              <input
                ref={fields[name]}
                name={name}
                type="number"
                min={0}
                step="any"
                inputMode="decimal"
                defaultValue={bounds[name]}
                placeholder={bound === null ? undefined : money(bound, "usd", language)}
                autoComplete="off"
                onInput={() =>
                  setThumbs(findStops(stops, { minPrice: readBound("minPrice"), maxPrice: readBound("maxPrice") }))
                }
              />
            </label>
          );
        })}
        {isSentAtOnce && <Button size="compact">{texts.apply}</Button>}
      </div>
    </fieldset>
  );
}

interface SliderProps {
  stops: readonly number[];
  /** Indexes of stops. */
  thumbs: { low: number; high: number };
  onMove: (name: BoundName, stop: number) => void;
  /** A pointer let go; by keyboard, each step would be one. */
  onRelease: () => void;
}

/** Two ranges over one line; without a script there is none. */
function Slider({ stops, thumbs: { low, high }, onMove, onRelease }: SliderProps): ReactNode {
  const { texts, language } = useShop();
  const hasScript = useHasScript();
  const line = useRef<SVGSVGElement>(null);
  const last = stops.length - 1;
  const toPlace = (stop: number): string => `${(100 * stop) / last}%`;
  const onPress = ({ target, currentTarget, clientX }: PointerEvent): void => {
    const place = line.current?.getBoundingClientRect();
    // A thumb moves by itself; beside both, the nearer one comes.
    if (target !== currentTarget || !place) return;
    const stop = Math.min(last, Math.max(0, Math.round((last * (clientX - place.left)) / place.width)));
    onMove(stop < (low + high) / 2 ? "minPrice" : "maxPrice", stop);
  };
  return (
    <div className="price-slider" onPointerDown={onPress} onPointerUp={onRelease}>
      <svg ref={line} aria-hidden="true">
        <line x1="0%" x2="100%" y1="50%" y2="50%" />
        <line x1={toPlace(low)} x2={toPlace(high)} y1="50%" y2="50%" />
      </svg>
      {NAMES.map((name) => {
        const stop = name === "minPrice" ? low : high;
        return (
          <input
            key={name}
            type="range"
            // Where both are at the right end, only the lower one can move.
            className={name === "minPrice" && low > last / 2 ? "above" : undefined}
            aria-label={name === "minPrice" ? texts.priceFrom : texts.priceTo}
            aria-valuetext={money(stops[stop] ?? 0, "usd", language)}
            max={last}
            value={stop}
            disabled={!hasScript}
            autoComplete="off"
            onChange={(event) => onMove(name, event.currentTarget.valueAsNumber)}
          />
        );
      })}
    </div>
  );
}
