import type { FitmentModel, Partline, PartPreview, LiveStock, SearchResponse } from "@partline/client";
import { type ReactNode, Suspense } from "react";
import { keepChoice } from "../../shared/cookies.ts";
import { fill } from "../../shared/language.ts";
import { CompareBar } from "../compare/compare.tsx";
import { useShop } from "../context.tsx";
import { count } from "../../shared/numbers.ts";
import { ButtonLink } from "../kit/button.tsx";
import { Card } from "../kit/card.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { Icon } from "../kit/icon.tsx";
import { DRAWING, GRID, LIST, SEARCH } from "../kit/icons/ui.ts";
import { Layout } from "../layout.tsx";
import { OtherWays } from "../other-ways.tsx";
import { Moved, type PageDefinition } from "../page.ts";
import { nameCategory } from "../parts/category.ts";
import { PageLinks, withinPages } from "../parts/page-links.tsx";
import { loadStock } from "../parts/load-stock.ts";
import { StockNote, useTransit } from "../parts/supply.tsx";
import { findExactPart, isMachineName } from "./results-exact.ts";
import { Hit } from "./results-hit.tsx";
import { Chosen, Filters, priceRange } from "./results-filters.tsx";
import {
  toAddress,
  changed,
  dropFilters,
  findView,
  pricesCross,
  readSearch,
  SORTS,
  type View,
  VIEWS,
} from "./results-query.ts";
import type { Texts } from "../texts/en.ts";

interface ResultsData {
  /** The query as the address has it. */
  query: string;
  results: SearchResponse;
  /** Machines that the words name. */
  machines: readonly FitmentModel[];
  stock: readonly LiveStock[];
  view: View;
}

/** More are a family, or a number that many have: no card says which. */
const MOST_CARDS = 3;
const LONGEST_MACHINE = 100;

/** The page stands without its cards. */
async function findMachines(partline: Partline, q: string): Promise<readonly FitmentModel[]> {
  if (!/\d/.test(q) || q.length > LONGEST_MACHINE) return [];
  const page = await partline.ai.fitmentModels({ q, pageSize: MOST_CARDS }).catch(() => undefined);
  return !page || page.near || page.pagination.total > MOST_CARDS ? [] : page.models;
}

/** @throws Moved to the page of the one part or machine that the words are the name of */
function leaveForOne(q: string, parts: readonly PartPreview[], machines: readonly FitmentModel[]): void {
  const part = findExactPart(q, parts);
  if (part) throw new Moved(`/parts/${encodeURIComponent(part.slug)}`, 302);
  const [machine] = machines;
  // Of a machine that the catalog alone names there is nothing but its parts.
  if (machine && machines.length === 1 && machine.manuals > 0 && isMachineName(q, machine))
    throw new Moved(`/machines/${encodeURIComponent(machine.id)}`, 302);
}

export const results: PageDefinition<ResultsData> = {
  path: "/search",
  load: async ({ partline, isCrawler, query, address, listView, machine }) => {
    const q = query.get("q")?.trim() ?? "";
    const [results, machines] = await Promise.all([
      partline.search.search({ ...readSearch(query), fitting: machine?.equipment }),
      findMachines(partline, q),
    ]);
    const { parts } = withinPages(results, address);
    if ([...query.keys()].join() === "q") leaveForOne(q, results.parts, machines);
    const stock = await loadStock(
      { partline, isCrawler },
      parts.map(({ id }) => id),
    );
    return { query: query.toString(), results, machines, stock, view: findView(query, listView) };
  },
  head: ({ query, results: { facets } }, { texts, origin }) => {
    const params = new URLSearchParams(query);
    const q = params.get("q") ?? "";
    const category = findCategory(params, facets, texts);
    return {
      title: q === "" ? (category ?? texts.allParts) : fill(texts.resultsFor, { query: q }),
      description: q === "" ? texts.homeDescription_both : fill(texts.resultsDescription, { query: q }),
      // Other filters and sorts are the same list to search engines.
      canonical:
        origin +
        toAddress(new URLSearchParams(q !== "" ? { q } : category ? toMachine([], params.get("category") ?? "") : {})),
    };
  },
  View: Results,
};

function Results({ data: { query, results, machines, stock, view } }: { data: ResultsData }): ReactNode {
  const { texts, language, machine } = useShop();
  const transit = useTransit();
  const params = new URLSearchParams(query);
  const isOfMachine = machine !== undefined && params.get("equipment") === machine.equipment;
  const q = params.get("q") ?? "";
  const { parts, pagination, facets, fitting } = results;
  const { total } = pagination;
  const isNothing = total === 0 && results.missing === undefined;
  const heading =
    q === "" ? (findCategory(params, facets, texts) ?? texts.allParts) : fill(texts.resultsFor, { query: q });
  return (
    <Layout query={q}>
      <div className="results">
        <div className="results-top">
          <h1>{isNothing && q !== "" ? fill(texts.noResults, { query: q }) : heading}</h1>
          <p role="status" className={isNothing ? "hidden" : "soft"}>
            {total === 1 ? texts.resultCountOne : fill(texts.resultCount, { count: count(total, language) })}
            {machine && fitting && fitting.total > 0 && (
              <>
                {" · "}
                <a href={changed(params, { equipment: machine.equipment })} rel="nofollow">
                  {fill(texts.fitYours, { count: count(fitting.total, language), name: machine.equipment })}
                </a>
              </>
            )}
          </p>
        </div>
        {(!isNothing || dropFilters(params).size < params.size) && (
          <Suspense>
            <Filters params={params} facets={facets} fitting={fitting?.total} />
          </Suspense>
        )}
        <div className="results-tools">
          <Sort params={params} />
          <ViewChoice params={params} view={view} />
        </div>
        <section aria-label={texts.resultsTitle} className="results-list">
          <Chosen params={params} facets={facets} />
          {machines.map((machine) => (
            <MachineCard key={machine.id} machine={machine} />
          ))}
          <Meant params={params} results={results} />
          {isNothing && (
            <EmptyState icon={SEARCH} heading={q === "" ? texts.noResultsFiltered : texts.noResultsHint}>
              <OtherWays />
            </EmptyState>
          )}
          <StockNote stock={parts.map((part) => stock.find(({ id }) => id === part.id))} />
          <ol className={view === "rows" ? "rows hits" : "rows hits tiled"}>
            {parts.map((part, index) => (
              <Suspense key={part.id}>
                <Hit
                  part={part}
                  stock={stock.find(({ id }) => id === part.id)}
                  transit={transit}
                  fitting={isOfMachine || fitting?.ids.includes(part.id) ? machine?.name : undefined}
                  isEarly={index < 4}
                />
              </Suspense>
            ))}
          </ol>
          <PageLinks
            page={pagination.page}
            pages={pagination.totalPages}
            addressOf={(page) => changed(params, { page: String(page) })}
          />
        </section>
      </div>
      <CompareBar />
    </Layout>
  );
}

/** The label of the category, if the list is all of one. */
function findCategory(params: URLSearchParams, facets: SearchResponse["facets"], texts: Texts): string | undefined {
  const [category, second] = params.getAll("category");
  if (category === undefined || second !== undefined) return undefined;
  const facet = facets.category.find(({ value }) => value.toLowerCase() === category.toLowerCase());
  return nameCategory(category, texts, facet?.label);
}

function MachineCard({ machine: { id, equipment, manufacturer, manuals } }: { machine: FitmentModel }): ReactNode {
  const { texts } = useShop();
  return (
    <Card kind="tinted" className="machine-card">
      <Icon path={DRAWING} />
      <span>
        <strong>{[manufacturer, equipment].filter(Boolean).join(" ")}</strong>
        <span className="soft small">{manuals > 0 ? texts.machineCard : texts.machineCardParts}</span>
      </span>
      <ButtonLink href={`/machines/${encodeURIComponent(id)}`} size="compact">
        {texts.machineOpen}
        <span className="hidden">: {equipment}</span>
      </ButtonLink>
    </Card>
  );
}

/** What is shown in place of what was asked for, and what may have been meant. */
function Meant({ params, results }: { params: URLSearchParams; results: SearchResponse }): ReactNode {
  const shop = useShop();
  const { texts, language } = shop;
  const { equipment, suggestion, didYouMean = [] } = results;
  const price = priceRange(results.minPrice, results.maxPrice, shop);
  const relaxedTo = [results.relaxedTo, price].filter(Boolean).join(", ");
  const machine = equipment ?? results.machines?.join(", ");
  return (
    <>
      {didYouMean.map(({ id, partNumber, title }) => (
        <p key={id}>
          <DidYouMean suggestion={`${partNumber} (${title})`} address={`/parts/${encodeURIComponent(id)}`} />
        </p>
      ))}
      {didYouMean.length === 0 && suggestion !== undefined && (
        <p>
          <DidYouMean suggestion={suggestion} address={changed(params, { q: suggestion })} />
        </p>
      )}
      {pricesCross(params) && <p role="status">{texts.priceUnusable}</p>}
      {results.relaxedTo !== undefined && (
        <p role="status">
          {machine === undefined
            ? fill(texts.relaxedTo, { query: relaxedTo })
            : fill(
                relaxedTo === ""
                  ? texts.allOfMachine
                  : equipment === undefined
                    ? texts.forMachine
                    : texts.relaxedMachine,
                { query: relaxedTo, machine },
              )}
        </p>
      )}
      {results.missing !== undefined && machine !== undefined && (
        <>
          <p role="status">{fill(texts.missingForMachine, { query: results.missing, machine })}</p>
          <ul>
            {results.categories?.map(({ value, label, count: parts }) => (
              <li key={value}>
                <a href={toAddress(toMachine(results.machines, value))}>{nameCategory(value, texts, label)}</a> (
                {count(parts, language)})
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** Links, so that it works without scripts; the choice is kept where they are. */
function ViewChoice({ params, view }: { params: URLSearchParams; view: View }): ReactNode {
  const { texts } = useShop();
  return (
    <ul className="views" aria-label={texts.views}>
      {VIEWS.map((name) => (
        <li key={name}>
          <a
            href={changed(params, { view: name })}
            rel="nofollow"
            aria-current={name === view ? "true" : undefined}
            onClick={() => keepChoice("list", name)}
          >
            <Icon path={name === "rows" ? LIST : GRID} label={texts[`view_${name}`]} />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The search for the parts of machines in a category. */
function toMachine(machines: readonly string[] = [], category: string): URLSearchParams {
  return new URLSearchParams([...machines.map((name) => ["machine", name]), ["category", category]]);
}

function DidYouMean({ suggestion, address }: { suggestion: string; address: string }): ReactNode {
  const { texts } = useShop();
  const [start, after] = texts.didYouMean.split("{query}");
  return (
    <>
      {start}
      <a href={address}>{suggestion}</a>
      {after}
    </>
  );
}

/** A form, so that it works without scripts; with them a choice is enough. */
function Sort({ params }: { params: URLSearchParams }): ReactNode {
  const { texts, partline } = useShop();
  const rest = [...params].filter(([name]) => name !== "sort" && name !== "page");
  return (
    <form action="/search" className="sort">
      {rest.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <label>
        <span>{texts.sort}</span>
        <select
          name="sort"
          aria-label={texts.sort}
          // On the way back it says how this list is sorted, not what was chosen here last.
          autoComplete="off"
          value={params.get("sort") ?? "relevance"}
          onChange={(event) => event.currentTarget.form!.requestSubmit()}
        >
          {SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {texts[`sort_${sort}`]}
            </option>
          ))}
        </select>
      </label>
      {!partline && (
        <noscript>
          <button>{texts.apply}</button>
        </noscript>
      )}
    </form>
  );
}
