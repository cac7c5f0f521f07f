import type { FacetValue } from "@partline/client";
import { type ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { count } from "../../shared/numbers.ts";
import { Layout } from "../layout.tsx";
import type { PageDefinition } from "../page.ts";
import { OtherWays } from "../other-ways.tsx";
import { SearchField } from "../search-field.tsx";

interface HomeData {
  makers: FacetValue[];
  categories: FacetValue[];
}

const MOST = 24;
/** Searches of the sample catalog; a shop's own examples are its categories. */
const EXAMPLES = ["15964-8141", "spark plug", "18x8.50-8"];

export const home: PageDefinition<HomeData> = {
  path: "/",
  load: async ({ partline }) => {
    const { facets } = await partline.search.filters({});
    return { makers: facets.manufacturer.slice(0, MOST), categories: facets.category.slice(0, MOST) };
  },
  head: (_, { texts, origin, shopName }) => ({
    title: `${shopName}: ${texts.homeTitle}`,
    description: texts.homeDescription,
    canonical: `${origin}/`,
  }),
  View: Home,
};

function Home({ data }: { data: HomeData }): ReactNode {
  const { texts } = useShop();
  const [start, after] = fill(texts.homeHint, {}).split("{examples}");
  return (
    <Layout hasOwnSearch>
      <div className="hero">
        <h1>{texts.homeTitle}</h1>
        <SearchField large />
        <p className="soft">
          {start}
          {EXAMPLES.map((example, index) => (
            <span key={example}>
              {index > 0 && ", "}
              <a href={`/search?q=${encodeURIComponent(example)}`}>{example}</a>
            </span>
          ))}
          {after}
        </p>
        <OtherWays />
      </div>
      <Tiles title={texts.homeCategories} field="category" values={data.categories} />
      <Tiles title={texts.homeMakers} field="manufacturer" values={data.makers} />
    </Layout>
  );
}

function Tiles({ title, field, values }: { title: string; field: string; values: FacetValue[] }): ReactNode {
  const { language } = useShop();
  if (values.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul className="tiles">
        {values.map(({ value, label, count: parts }) => (
          <li key={value}>
            <a href={`/search?${field}=${encodeURIComponent(value)}`}>{label}</a>{" "}
            <span className="soft number">{count(parts, language)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
