import type { WholePart } from "@partline/client";
import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { money } from "../../shared/numbers.ts";
import { formatWeight } from "../format.ts";
import { Layout } from "../layout.tsx";
import { manualAddress } from "../manual-address.ts";
import { Moved, type PageDefinition } from "../page.ts";
import { LiveOffer } from "../parts/live-offer.tsx";
import { Pictures } from "../parts/pictures.tsx";
import { productOf } from "../parts/json-ld.ts";

export const part: PageDefinition<WholePart> = {
  path: "/parts/{slug}",
  load: async ({ partline, params }) => {
    const answer = await partline.search.part({ id: params["slug"]! });
    if (answer.slug !== params["slug"]) throw new Moved(`/parts/${encodeURIComponent(answer.slug)}`);
    return answer;
  },
  head: (data, { texts, origin }) => {
    const canonical = `${origin}/parts/${encodeURIComponent(data.slug)}`;
    const { title, partNumber, manufacturer } = data;
    return {
      title: `${title} · ${manufacturer.name} ${partNumber}`,
      description:
        data.description ?? fill(texts.partDescription, { title, number: partNumber, maker: manufacturer.name }),
      canonical,
      jsonLd: productOf(data, canonical, origin),
    };
  },
  View: Part,
};

function Part({ data: wholePart }: { data: WholePart }): ReactNode {
  const { texts, language } = useShop();
  const { title, manufacturer, partNumber, category, description, missing } = wholePart;
  return (
    <Layout>
      <article>
        <div className="part-head">
          <Pictures urls={wholePart.media?.images?.map(({ url }) => url) ?? []} title={title} />
          <div>
            <h1>{title}</h1>
            <p>
              {manufacturer.name} · {texts.partNumber} <strong>{partNumber}</strong>
            </p>
            {wholePart.status === "discontinued" && <p>{texts.discontinued}</p>}
            <LiveOffer part={wholePart} />
            {description !== undefined && description !== title && <p>{description}</p>}
            <dl className="facts">
              <Fact name={texts.category}>{category}</Fact>
              {wholePart.weightGrams !== undefined && (
                <Fact name={texts.weight}>{formatWeight(wholePart.weightGrams, language)}</Fact>
              )}
              {wholePart.tire && <Fact name={texts.tireSize}>{wholePart.tire.size}</Fact>}
              {Object.entries(wholePart.attributes ?? {}).map(([name, value]) => (
                <Fact key={name} name={name}>
                  {value}
                </Fact>
              ))}
            </dl>
            {wholePart.hazmat && <p>{texts.hazmat}</p>}
            {wholePart.oversize && <p>{texts.oversize}</p>}
          </div>
        </div>
        {missing && missing.length > 0 && <p role="status">{texts.missing}</p>}
        <Relatives part={wholePart} />
        <Fits part={wholePart} />
      </article>
    </Layout>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Parts that stand in for it, and parts that it consists of. */
function Relatives({ part: { supersession, interchange, kit, manufacturer } }: { part: WholePart }): ReactNode {
  const { texts, language } = useShop();
  const { supersedes, supersededBy, unknownSuccessor } = supersession;
  const link = (id: string, name: string): ReactNode => <a href={`/parts/${encodeURIComponent(id)}`}>{name}</a>;
  return (
    <>
      {(supersedes.length > 0 || supersededBy.length > 0 || unknownSuccessor !== null) && (
        <section>
          <h2>{texts.supersession}</h2>
          <ul>
            {supersededBy.map(({ id, partNumber, title }) => (
              <li key={id}>
                {texts.supersededBy} {link(id, `${manufacturer.name} ${partNumber}`)} {title}
              </li>
            ))}
            {unknownSuccessor !== null && (
              <li>
                {texts.supersededBy} {fill(texts.unknownSuccessor, { number: unknownSuccessor })}
              </li>
            )}
            {supersedes.map(({ id, partNumber, title }) => (
              <li key={id}>
                {texts.supersedes} {link(id, `${manufacturer.name} ${partNumber}`)} {title}
              </li>
            ))}
          </ul>
        </section>
      )}
      {interchange.length > 0 && (
        <section>
          <h2>{texts.interchange}</h2>
          <ul>
            {interchange.map(({ partNumber, manufacturer: maker, direction, part: catalogPart }) => (
              <li key={`${maker.code} ${partNumber}`}>
                {catalogPart ? link(catalogPart.id, `${maker.name} ${partNumber}`) : `${maker.name} ${partNumber}`}{" "}
                {catalogPart ? catalogPart.title : texts.notInCatalog}{" "}
                <span className="soft">({texts[`interchange_${direction}`]})</span>{" "}
                {catalogPart?.price != null && (
                  <span className="number">{money(catalogPart.price, "usd", language)}</span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {kit.length > 0 && (
        <section>
          <h2>{texts.kit}</h2>
          <ul>
            {kit.map(({ vendor, partNumber, quantity, part: catalogPart }) => (
              <li key={`${vendor} ${partNumber}`}>
                {quantity} × {catalogPart ? link(catalogPart.id, partNumber) : partNumber}{" "}
                {catalogPart?.title ?? texts.notInCatalog}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Fits({ part: { fitment, partNumber } }: { part: WholePart }): ReactNode {
  const { texts } = useShop();
  return (
    <section>
      <h2>{texts.fits}</h2>
      {fitment.length === 0 ? (
        <p className="soft">{texts.fitsNone}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.machine}</th>
              <th scope="col">{texts.figure}</th>
              <th scope="col">{texts.quantity}</th>
              <th scope="col">{texts.manualPage}</th>
            </tr>
          </thead>
          <tbody>
            {fitment.map(({ equipment, schema, quantity, pdf_link }) => (
              <tr key={`${equipment} ${schema} ${pdf_link}`}>
                <td>
                  <a href={`/machines/${encodeURIComponent(equipment)}`}>{equipment}</a>
                </td>
                <td>{schema}</td>
                <td className="number">{quantity}</td>
                <td>
                  {pdf_link !== null && (
                    <a href={manualAddress(pdf_link, partNumber)}>
                      {texts.openPage}
                      <span className="hidden">
                        : {equipment} {schema}
                      </span>
                    </a>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
