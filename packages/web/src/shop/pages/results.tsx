import type { FitmentModel, Partline, LiveStock, SearchResponse } from "@partline/client";
import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { count } from "../../shared/numbers.ts";
import { Layout } from "../layout.tsx";
import { OtherWays } from "../other-ways.tsx";
import type { PageDefinition } from "../page.ts";
import { PageLinks, withinPages } from "../parts/page-links.tsx";
import { loadStock } from "../parts/load-stock.ts";
import { StockNote, useTransit } from "../parts/supply.tsx";
import { Hit } from "./results-hit.tsx";
import { Filters, priceRange } from "./results-filters.tsx";
import { addressOf, changed, pricesCross, searchOf, SORTS } from "./results-query.ts";

interface ResultsData {
  /** The query as the address has it. */
  query: string;
  results: SearchResponse;
  /** Machines that the words name. */
  machines: readonly FitmentModel[];
  stock: readonly LiveStock[];
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

export const results: PageDefinition<ResultsData> = {
  path: "/search",
  load: async ({ partline, isCrawler, query, address }) => {
    const [results, machines] = await Promise.all([
      partline.search.search(searchOf(query)),
      findMachines(partline, query.get("q")?.trim() ?? ""),
    ]);
    const { parts } = withinPages(results, address);
    const stock = await loadStock(
      { partline, isCrawler },
      parts.map(({ id }) => id),
    );
    return { query: query.toString(), results, machines, stock };
  },
  head: ({ query }, { texts, origin }) => {
    const params = new URLSearchParams(query);
    const q = params.get("q") ?? "";
    return {
      title: q === "" ? texts.allParts : fill(texts.resultsFor, { query: q }),
      description: q === "" ? texts.homeDescription_both : fill(texts.resultsDescription, { query: q }),
      // Filters and sorts are the same list to search engines.
      canonical: origin + addressOf(new URLSearchParams(q === "" ? {} : { q })),
    };
  },
  View: Results,
};

function Results({ data: { query, results, machines, stock } }: { data: ResultsData }): ReactNode {
  const { texts, language } = useShop();
  const transit = useTransit();
  const params = new URLSearchParams(query);
  const q = params.get("q") ?? "";
  const { parts, pagination, equipment, suggestion, didYouMean = [] } = results;
  const price = priceRange(results.minPrice, results.maxPrice, { texts, language });
  const relaxedTo = [results.relaxedTo, price].filter(Boolean).join(", ");
  const { total } = pagination;
  const machine = equipment ?? results.machines?.join(", ");
  return (
    <Layout query={q}>
      <h1>{q === "" ? texts.allParts : fill(texts.resultsFor, { query: q })}</h1>
      {machines.map(({ id, equipment: model, manufacturer }) => (
        <p key={id} className="machine-card">
          <a href={`/machines/${encodeURIComponent(id)}`}>{[manufacturer, model].filter(Boolean).join(" ")}</a>{" "}
          <span className="soft">{texts.machineCard}</span>
        </p>
      ))}
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
                <a href={addressOf(toMachine(results.machines, value))}>{label}</a> ({count(parts, language)})
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="results">
        <Filters params={params} facets={results.facets} />
        <section aria-label={texts.resultsTitle}>
          <div className="results-head">
            <p role="status">
              {total === 1 ? texts.resultCountOne : fill(texts.resultCount, { count: count(total, language) })}
            </p>
            <Sort params={params} />
          </div>
          {total === 0 && results.missing === undefined && (
            <>
              <p>
                {q === "" ? texts.noResultsFiltered : `${fill(texts.noResults, { query: q })} ${texts.noResultsHint}`}
              </p>
              <OtherWays />
            </>
          )}
          <StockNote stock={parts.map((part) => stock.find(({ id }) => id === part.id))} />
          <ol className="rows">
            {parts.map((part, index) => (
              <Hit
                key={part.id}
                part={part}
                stock={stock.find(({ id }) => id === part.id)}
                transit={transit}
                isEarly={index < 4}
              />
            ))}
          </ol>
          <PageLinks
            page={pagination.page}
            pages={pagination.totalPages}
            addressOf={(page) => changed(params, { page: String(page) })}
          />
        </section>
      </div>
    </Layout>
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
        {texts.sort}{" "}
        <select
          name="sort"
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
