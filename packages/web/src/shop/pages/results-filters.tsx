import type { Facets, FacetValue, PriceRange } from "@partline/client";
import { useSyncExternalStore, type ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop, type Shop } from "../context.tsx";
import { count, money } from "../../shared/numbers.ts";
import { changed, FACET_FIELDS, hasPrice, toggled } from "./results-query.ts";

const SHOWN = 8;
const WIDE = "(min-width: 56rem)";

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

interface FiltersProps {
  params: URLSearchParams;
  facets: Facets;
}

/** Links to the same search with one filter more or less. On a narrow screen they are folded. */
export function Filters({ params, facets }: FiltersProps): ReactNode {
  const { texts } = useShop();
  const isWide = useSyncExternalStore(
    (listener) => {
      const media = matchMedia(WIDE);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => matchMedia(WIDE).matches,
    () => false,
  );
  const isInStock = params.get("inStock") === "true";
  return (
    <aside aria-label={texts.filters} className="filters">
      <Chosen params={params} facets={facets} />
      <details open={isWide}>
        <summary>{texts.filters}</summary>
        {!isInStock && (
          <ul className="facet">
            <li>
              <a href={changed(params, { inStock: "true" })} rel="nofollow">
                {texts.onlyInStock}
              </a>
            </li>
          </ul>
        )}
        {FACET_FIELDS.map((field) => (
          <Facet key={field} field={field} title={texts[field]} values={facets[field] ?? []} params={params} />
        ))}
        <Prices params={params} ranges={facets.price.ranges} />
      </details>
    </aside>
  );
}

interface FacetProps {
  field: string;
  title: string;
  values: FacetValue[];
  params: URLSearchParams;
}

function Facet({ field, title, values, params }: FacetProps): ReactNode {
  const { texts, language } = useShop();
  if (values.length === 0) return null;
  const row = ({ value, label, count: parts }: FacetValue): ReactNode => (
    <li key={value}>
      <a
        href={toggled(params, field, value)}
        rel="nofollow"
        aria-current={params.getAll(field).includes(value) ? "true" : undefined}
      >
        {label}
      </a>{" "}
      <span className="soft number">{count(parts, language)}</span>
    </li>
  );
  return (
    <section>
      <h2>{title}</h2>
      <ul className="facet">{values.slice(0, SHOWN).map(row)}</ul>
      {values.length > SHOWN && (
        <details>
          <summary>{fill(texts.more, { count: values.length })}</summary>
          <ul className="facet">{values.slice(SHOWN).map(row)}</ul>
        </details>
      )}
    </section>
  );
}

function Prices({ params, ranges }: { params: URLSearchParams; ranges: PriceRange[] }): ReactNode {
  const { texts, language } = useShop();
  const offered = ranges.filter((range) => range.count > 0);
  if (offered.length === 0) return null;
  return (
    <section>
      <h2>{texts.price}</h2>
      <ul className="facet">
        {offered.map(({ from, to, count: parts }) => {
          const isChosen = params.get("minPrice") === String(from) && (params.get("maxPrice") ?? "") === `${to ?? ""}`;
          const range = { minPrice: String(from), maxPrice: to === null ? undefined : String(to) };
          return (
            <li key={from}>
              <a
                href={changed(params, isChosen ? { minPrice: undefined, maxPrice: undefined } : range)}
                rel="nofollow"
                aria-current={isChosen ? "true" : undefined}
              >
                {priceRange(from, to ?? undefined, { texts, language })}
              </a>{" "}
              <span className="soft number">{count(parts, language)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** What narrows the search now, to be taken away. */
function Chosen({ params, facets }: FiltersProps): ReactNode {
  const { texts } = useShop();
  const equipment = params.get("equipment");
  const chosen = [
    ...(equipment
      ? [{ label: fill(texts.machineFilter, { name: equipment }), address: changed(params, { equipment: undefined }) }]
      : []),
    ...(params.get("inStock") === "true"
      ? [{ label: texts.onlyInStock, address: changed(params, { inStock: undefined }) }]
      : []),
    ...FACET_FIELDS.flatMap((field) =>
      params.getAll(field).map((value) => ({
        label: facets[field]?.find((option) => option.value === value)?.label ?? value,
        address: toggled(params, field, value),
      })),
    ),
    ...(hasPrice(params)
      ? [{ label: texts.price, address: changed(params, { minPrice: undefined, maxPrice: undefined }) }]
      : []),
  ];
  if (chosen.length === 0) return null;
  return (
    <ul className="chosen">
      {chosen.map(({ label, address }) => (
        <li key={address}>
          <a href={address} rel="nofollow" aria-label={fill(texts.removeFilter, { name: label })} className="button">
            {label} <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
