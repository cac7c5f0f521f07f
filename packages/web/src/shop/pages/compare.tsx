import { isPartlineError, type LiveStock, type WholePart } from "@partline/client";
import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { MOST_COMPARED, toCompareAddress } from "../compare/compared-parts.ts";
import { useShop } from "../context.tsx";
import { formatWeight } from "../../shared/numbers.ts";
import { EmptyState } from "../kit/empty-state.tsx";
import { Icon } from "../kit/icon.tsx";
import { CLOSE, COMPARE } from "../kit/icons/ui.ts";
import { Price } from "../kit/price.tsx";
import { Layout } from "../layout.tsx";
import type { PageDefinition } from "../page.ts";
import { AddToCart } from "../parts/add-to-cart.tsx";
import { nameCategory } from "../parts/category.ts";
import { loadStock } from "../parts/load-stock.ts";
import { Picture } from "../parts/picture.tsx";
import { SupplyText, useTransit } from "../parts/supply.tsx";

interface CompareData {
  parts: readonly WholePart[];
  stock: readonly LiveStock[];
}

const SHOWN_FITS = 6;

/** Parts side by side, by an address that can be sent to others. */
export const compare: PageDefinition<CompareData> = {
  path: "/compare",
  load: async ({ partline, isCrawler, query }) => {
    const ids = [...new Set(query.getAll("part").filter(Boolean))].slice(0, MOST_COMPARED);
    const answers = await Promise.all(
      ids.map((id) =>
        partline.search.part({ id }).catch((error: unknown) => {
          if (isPartlineError(error, "NOT_FOUND", "VALIDATION_FAILED")) return undefined;
          throw error;
        }),
      ),
    );
    const parts = answers.filter((part) => part !== undefined);
    const stock = await loadStock(
      { partline, isCrawler },
      parts.map(({ id }) => id),
    );
    return { parts, stock };
  },
  head: (_, { texts }) => ({ title: texts.compareTitle }),
  View: Compare,
};

function Compare({ data: { parts, stock } }: { data: CompareData }): ReactNode {
  const { texts } = useShop();
  const transit = useTransit();
  if (parts.length === 0)
    return (
      <Layout>
        <EmptyState icon={COMPARE} heading={texts.compareEmpty} level={1}>
          <p>{texts.compareEmptyText}</p>
        </EmptyState>
      </Layout>
    );
  return (
    <Layout>
      <h1>{texts.compareTitle}</h1>
      <div className="compare-scroll" role="region" aria-label={texts.compareTitle} tabIndex={0}>
        <table className="compare">
          <thead>
            <tr>
              <td />
              {parts.map((part) => (
                <th key={part.id} scope="col">
                  <Picture url={part.media?.images?.[0]?.url} alt="" name={part.title} isEarly />
                  <a href={`/parts/${encodeURIComponent(part.slug)}`}>{part.title}</a>
                  <a
                    className="compare-remove no-print"
                    href={toCompareAddress(parts.filter(({ id }) => id !== part.id).map(({ slug }) => slug))}
                    aria-label={fill(texts.compareRemove, { title: part.title })}
                  >
                    <Icon path={CLOSE} size="small" />
                  </a>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{texts.price}</th>
              {parts.map(({ id, price }) => (
                <td key={id}>
                  <Price value={price?.list.value ?? null} currency={price?.list.currency ?? "usd"} />
                </td>
              ))}
            </tr>
            <tr>
              <th scope="row">{texts.availability}</th>
              {parts.map(({ id, availability }) => (
                <td key={id}>
                  <SupplyText
                    stock={stock.find((live) => live.id === id)}
                    availability={availability}
                    transit={transit}
                  />
                </td>
              ))}
            </tr>
            <Facts parts={parts} />
            <tr className="no-print">
              <td />
              {parts.map((part) => (
                <td key={part.id}>
                  {part.price && part.status === "active" && <AddToCart item={toItem(part, part.price.list.value)} />}
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
    </Layout>
  );
}

type FactRow = [name: string, textOf: (part: WholePart) => string | undefined];

/** A row for each fact that a part has; those in which the parts differ stand out. */
function Facts({ parts }: Pick<CompareData, "parts">): ReactNode {
  const { texts, language } = useShop();
  const attributes = [...new Set(parts.flatMap((part) => Object.keys(part.attributes ?? {})))];
  const allRows: FactRow[] = [
    [texts.manufacturer, ({ manufacturer }) => manufacturer.name],
    [texts.partNumber, ({ partNumber }) => partNumber],
    [texts.category, ({ category }) => nameCategory(category, texts)],
    [texts.compareFits, listMachines],
    [texts.supersedes, ({ supersession }) => join(supersession.supersedes.map(({ partNumber }) => partNumber))],
    [texts.tireSize, ({ tire }) => tire?.size],
    [texts.tirePly, ({ tire }) => tire?.ply?.toString()],
    [texts.weight, ({ weightGrams: grams }) => (grams === undefined ? undefined : formatWeight(grams, language))],
    ...attributes.map((name): FactRow => [name, (part) => part.attributes?.[name]]),
  ];
  const rows = allRows.filter(([, textOf]) => parts.some((part) => textOf(part)));
  return rows.map(([name, textOf]) => {
    const values = parts.map((part) => textOf(part) ?? "");
    const isSame = new Set(values).size === 1;
    return (
      <tr key={name} className={isSame ? "soft" : undefined}>
        <th scope="row">{name}</th>
        {values.map((value, index) => (
          <td key={index}>{value === "" ? "–" : value}</td>
        ))}
      </tr>
    );
  });
}

const join = (words: readonly string[]): string | undefined => (words.length === 0 ? undefined : words.join(", "));

function listMachines({ fitment }: WholePart): string | undefined {
  const machines = [...new Set(fitment.map(({ equipment }) => equipment))];
  const rest = machines.length - SHOWN_FITS;
  return join([...machines.slice(0, SHOWN_FITS), ...(rest > 0 ? [`+${rest}`] : [])]);
}

function toItem({ id, partNumber, title, manufacturer, media, availability }: WholePart, unitPrice: number) {
  const imageUrl = media?.images?.[0]?.url ?? null;
  return { productId: id, partNumber, title, unitPrice, manufacturer: manufacturer.name, imageUrl, availability };
}
