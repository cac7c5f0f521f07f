import type { Facets, FacetValue } from "@partline/client";
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop, type Shop } from "../context.tsx";
import { count, money } from "../../shared/numbers.ts";
import { Button } from "../kit/button.tsx";
import { Chip } from "../kit/chip.tsx";
import { Disclosure } from "../kit/disclosure.tsx";
import { Icon } from "../kit/icon.tsx";
import { FILTERS } from "../kit/icons/ui.ts";
import { Sheet } from "../kit/sheet.tsx";
import { inTabStorage } from "../tab-storage.ts";
import { PriceFilter } from "./results-price.tsx";
import { toAddress, changed, FACET_FIELDS } from "./results-query.ts";
import { hasPrice, pricesIn, toggled, dropFilters } from "./results-query.ts";
import { nameCategory } from "../parts/category.ts";

const SHOWN = 8;
/** As in results.css. */
const WIDE = "(min-width: 52rem)";
/** Where the field that was changed is kept: the next page has the focus there. */
const CHANGED = "filter";

/** Names a field as no other of the form. */
function describeField({ type, name, value, ariaLabel }: HTMLInputElement): string {
  return [type, name, type === "checkbox" ? value : ariaLabel].join(" ");
}

/** Prices as a text: `up to $60`; empty without a bound. */
export function priceRange(
  from: number | undefined,
  to: number | undefined,
  { texts, language }: Pick<Shop, "texts" | "language">,
): string {
  const [lowest, highest] = [from, to].map((bound) => (bound === undefined ? "" : money(bound, "usd", language)));
  if (from !== undefined && to !== undefined) return fill(texts.priceRange, { from: lowest!, to: highest! });
  if (from !== undefined) return fill(texts.from, { price: lowest! });
  return to === undefined ? "" : fill(texts.upTo, { price: highest! });
}

/** Reads the address of what a form of this page has; its empty fields narrow nothing. */
function readAddress(form: HTMLFormElement): string {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") fields.append(name, value);
  return changed(fields, {});
}

interface FiltersProps {
  params: URLSearchParams;
  facets: Facets;
  /** How many of the parts fit the shopper's machine. */
  fitting?: number | undefined;
}

/** Renders the filters beside results; on phones they are folded, and with a script in a sheet. */
export function Filters(filters: FiltersProps): ReactNode {
  const { texts } = useShop();
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const isWide = useSyncExternalStore(
    (listener) => {
      const media = matchMedia(WIDE);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => matchMedia(WIDE).matches,
    () => false,
  );
  return (
    <aside aria-label={texts.filters} className="filters">
      <details open={isWide}>
        <summary
          className="button"
          onClick={(event) => {
            event.preventDefault();
            setIsSheetOpen(true);
          }}
        >
          <Icon path={FILTERS} size="small" />
          {texts.filters}
        </summary>
        <FilterForm {...filters} isSentAtOnce />
      </details>
      <Sheet heading={texts.filters} isOpen={isSheetOpen} onClose={() => setIsSheetOpen(false)}>
        <FilterForm {...filters} />
      </Sheet>
    </aside>
  );
}

interface FilterFormProps extends FiltersProps {
  /** With a script a tick is enough: the results are in view. */
  isSentAtOnce?: boolean;
}

/** A form, so that it works without scripts. */
function FilterForm({ params, facets, fitting, isSentAtOnce = false }: FilterFormProps): ReactNode {
  const { texts } = useShop();
  const form = useRef<HTMLFormElement>(null);
  const changedField = useRef<HTMLInputElement>(undefined);
  useEffect(() => {
    if (!isSentAtOnce) return;
    const changedName = inTabStorage((storage) => storage.getItem(CHANGED));
    inTabStorage((storage) => storage.removeItem(CHANGED));
    const fields = [...(form.current?.querySelectorAll("input") ?? [])];
    fields.find((field) => describeField(field) === changedName)?.focus();
  }, [isSentAtOnce]);
  return (
    <form
      ref={form}
      action="/search"
      className="filter-form"
      onSubmit={(event) => {
        event.preventDefault();
        const field = changedField.current;
        if (isSentAtOnce && field) inTabStorage((storage) => storage.setItem(CHANGED, describeField(field)));
        location.assign(readAddress(event.currentTarget));
      }}
      onChange={({ target, currentTarget }) => {
        if (!isSentAtOnce || !(target instanceof HTMLInputElement)) return;
        changedField.current = target;
        if (target.type === "checkbox") currentTarget.requestSubmit();
      }}
    >
      {[...dropFilters(params)].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <fieldset>
        <legend className="hidden">{texts.availability}</legend>
        <EquipmentTicks params={params} fitting={fitting} />
        <Tick name="inStock" value="true" isSet={params.get("inStock") === "true"}>
          {texts.onlyInStock}
        </Tick>
      </fieldset>
      {FACET_FIELDS.map((field) => (
        <Facet key={field} field={field} values={facets[field] ?? []} params={params} />
      ))}
      {(facets.price.min !== null || hasPrice(params)) && (
        <PriceFilter params={params} price={facets.price} isSentAtOnce={isSentAtOnce} />
      )}
      {!isSentAtOnce && (
        <div className="filter-end">
          <ClearLink params={params} />
          <Button kind="primary">{texts.showResults}</Button>
        </div>
      )}
    </form>
  );
}

function ClearLink({ params }: Pick<FiltersProps, "params">): ReactNode {
  const { texts } = useShop();
  return <a href={toAddress(dropFilters(params))}>{texts.removeFilters}</a>;
}

/** The machine that the list is narrowed to, or the shopper's. */
function EquipmentTicks({ params, fitting }: Pick<FiltersProps, "params" | "fitting">): ReactNode {
  const { texts, language, machine } = useShop();
  const equipment = params.get("equipment") || (fitting ? machine?.equipment : undefined);
  if (!equipment) return null;
  return (
    <Tick name="equipment" value={equipment} isSet={params.get("equipment") === equipment}>
      {fill(texts.fitsOnly, { name: equipment })}
      {fitting !== undefined && <span className="soft number">{count(fitting, language)}</span>}
    </Tick>
  );
}

interface FacetProps {
  field: (typeof FACET_FIELDS)[number];
  values: FacetValue[];
  params: URLSearchParams;
}

function Facet({ field, values, params }: FacetProps): ReactNode {
  const { texts, language } = useShop();
  const set = params.getAll(field);
  // A list of the most frequent may lack what is set.
  const missing = set.filter((value) => value !== "" && !values.some((option) => option.value === value));
  const options = [
    ...missing.map((value) => ({ value, label: value, count: undefined })),
    ...values.filter(({ value }, index) => index < SHOWN || set.includes(value)),
  ];
  const rest = values.slice(SHOWN).filter(({ value }) => !set.includes(value));
  if (options.length === 0) return null;
  const row = ({ value, label, count: parts }: (typeof options)[number]): ReactNode => (
    <Tick key={value} name={field} value={value} isSet={set.includes(value)}>
      {field === "category" ? nameCategory(value, texts, label) : label}
      {parts !== undefined && <span className="soft number">{count(parts, language)}</span>}
    </Tick>
  );
  return (
    <fieldset>
      <legend>{texts[field]}</legend>
      {options.map(row)}
      {rest.length > 0 && (
        <Disclosure summary={fill(texts.more, { count: values.length })} className="more">
          {rest.map(row)}
        </Disclosure>
      )}
    </fieldset>
  );
}

interface TickProps {
  name: string;
  value: string;
  isSet: boolean;
  children: ReactNode;
}

/** On the way back a browser would restore what was ticked there last, not what the list has. */
function Tick({ name, value, isSet, children }: TickProps): ReactNode {
  return (
    <label className="tick">
      <input type="checkbox" name={name} value={value} defaultChecked={isSet} autoComplete="off" />
      <span>{children}</span>
    </label>
  );
}

/** What narrows the search now, to be taken away. */
export function Chosen({ params, facets }: Pick<FiltersProps, "params" | "facets">): ReactNode {
  const shop = useShop();
  const { texts } = shop;
  const equipment = params.get("equipment");
  const { minPrice, maxPrice } = pricesIn(params);
  const chosen = [
    ...(equipment
      ? [{ label: fill(texts.machineFilter, { name: equipment }), address: changed(params, { equipment: undefined }) }]
      : []),
    ...(params.get("inStock") === "true"
      ? [{ label: texts.onlyInStock, address: changed(params, { inStock: undefined }) }]
      : []),
    ...FACET_FIELDS.flatMap((field) =>
      params.getAll(field).map((value) => {
        const { label = value } = facets[field]?.find((option) => option.value === value) ?? {};
        const name = field === "category" ? nameCategory(value, texts, label) : label;
        return { label: name, address: toggled(params, field, value) };
      }),
    ),
    ...(hasPrice(params)
      ? [
          {
            label: priceRange(minPrice, maxPrice, shop),
            address: changed(params, { minPrice: undefined, maxPrice: undefined }),
          },
        ]
      : []),
  ];
  if (chosen.length === 0) return null;
  return (
    <ul className="chips">
      {chosen.map(({ label, address }) => (
        <li key={address}>
          <Chip isOn href={address} removeLabel={fill(texts.removeFilter, { name: label })}>
            {label}
          </Chip>
        </li>
      ))}
      {chosen.length > 1 && (
        <li>
          <ClearLink params={params} />
        </li>
      )}
    </ul>
  );
}
