import type { WholePart } from "@partline/client";
import { type ReactNode, Suspense } from "react";
import { fill } from "../../shared/language.ts";
import { usePartline, useShop } from "../context.tsx";
import { money } from "../../shared/numbers.ts";
import { ownAddress, toFigurePicture } from "../format.ts";
import { formatWeight } from "../../shared/numbers.ts";
import { type Crumb, Breadcrumb, createBreadcrumbJsonLd } from "../kit/breadcrumb.tsx";
import { Card } from "../kit/card.tsx";
import { Chip } from "../kit/chip.tsx";
import { Disclosure } from "../kit/disclosure.tsx";
import { Icon } from "../kit/icon.tsx";
import { CHECK } from "../kit/icons/ui.ts";
import { Fact } from "../kit/fact.tsx";
import { createPartSubject } from "../desk/subject.ts";
import { Layout } from "../layout.tsx";
import { manualAddress } from "../manual-address.ts";
import { Moved, type PageDefinition } from "../page.ts";
import { type Beside, loadBeside, type PartBeside, type ShownDiagram } from "../part/beside.ts";
import { AskPart } from "../part/ask-part.tsx";
import { checkFit, type FitAnswer, findFit } from "../part/fitment.ts";
import { FitCheck, describeFit, nameListedMachines } from "../part/fit-check.tsx";
import { Gallery } from "../part/gallery.tsx";
import { Replacements } from "../part/replacements.tsx";
import { loadTireSizes, type TireSizes } from "../part/tire-sizes.ts";
import { AddToCart, buyablePart } from "../parts/add-to-cart.tsx";
import { nameCategory } from "../parts/category.ts";
import { LiveOffer } from "../parts/live-offer.tsx";
import { createFitmentJsonLd, toProduct } from "../parts/json-ld.ts";
import type { Texts } from "../texts/en.ts";

interface PartData extends Beside {
  part: WholePart;
  /** Of the machine that the address asks about. */
  fitAnswer: FitAnswer | undefined;
  tireSizes: TireSizes | undefined;
}

export const part: PageDefinition<PartData> = {
  path: "/parts/{slug}",
  load: async ({ partline, params, query }) => {
    const answer = await partline.search.part({ id: params["slug"]! });
    if (answer.slug !== params["slug"])
      throw new Moved(`/parts/${encodeURIComponent(answer.slug)}${query.size > 0 ? `?${query.toString()}` : ""}`);
    const [besideData, tireSizes, fitAnswer] = await Promise.all([
      loadBeside(partline, answer),
      loadTireSizes(partline, answer),
      checkFit(partline, answer, query.get("machine") ?? ""),
    ]);
    return { part: answer, fitAnswer, tireSizes, ...besideData };
  },
  head: ({ part: wholePart, tireSizes }, { texts, origin }) => {
    const canonical = `${origin}/parts/${encodeURIComponent(wholePart.slug)}`;
    const { title, partNumber, manufacturer, media } = wholePart;
    const [picture] = media?.images ?? [];
    const fitmentJsonLd = createFitmentJsonLd(wholePart, texts);
    return {
      title: `${title} · ${manufacturer.name} ${partNumber}`,
      description:
        wholePart.description ?? fill(texts.partDescription, { title, number: partNumber, maker: manufacturer.name }),
      canonical,
      image: picture && new URL(ownAddress(picture.url), origin).href,
      jsonLd: [
        toProduct(wholePart, canonical, origin, tireSizes),
        createBreadcrumbJsonLd(listCrumbs(wholePart, texts), origin),
        ...(fitmentJsonLd ? [fitmentJsonLd] : []),
      ],
    };
  },
  View: Part,
};

function listCrumbs({ category, partNumber }: WholePart, texts: Texts): Crumb[] {
  const path = `/search?category=${encodeURIComponent(category)}`;
  return [{ name: nameCategory(category, texts), path }, { name: partNumber }];
}

/** What a buyer is to know before anything else. */
function Facts({ part: wholePart }: { part: WholePart }): ReactNode {
  const { texts, machine } = useShop();
  const fit = machine && findFit(wholePart, machine.equipment);
  const facts = [
    machine && fit && <Fact kind="good">{describeFit(fit, machine.name, texts)}</Fact>,
    machine && !fit && wholePart.fitment.length > 0 && (
      <Fact kind="warn">{fill(texts.fitNot, { name: machine.name })}</Fact>
    ),
    wholePart.status === "discontinued" && <Fact kind="warn">{texts.discontinued}</Fact>,
    wholePart.hazmat && <Fact>{texts.hazmat}</Fact>,
    wholePart.oversize && <Fact>{texts.oversize}</Fact>,
  ].filter(Boolean);
  if (facts.length === 0) return null;
  return (
    <ul className="fact-list">
      {facts.map((fact, index) => (
        <li key={index}>{fact}</li>
      ))}
    </ul>
  );
}

function Part({ data: { part: wholePart, fitAnswer, tireSizes, diagrams, parts } }: { data: PartData }): ReactNode {
  const { texts, machine } = useShop();
  const { title, manufacturer, partNumber, missing } = wholePart;
  const listedMachines = nameListedMachines(wholePart, texts);
  const isOfMachine = machine !== undefined && findFit(wholePart, machine.equipment) !== undefined;
  return (
    <Layout subject={createPartSubject(wholePart, { texts, machine, isDrawn: diagrams.length > 0 })}>
      <Breadcrumb crumbs={listCrumbs(wholePart, texts)} />
      <article className="part">
        <Gallery urls={wholePart.media?.images?.map(({ url }) => url) ?? []} title={title} />
        <div className="part-buy stack">
          <header>
            <h1>{keepSizesWhole(title)}</h1>
            <p className="soft">
              {manufacturer.name} · {texts.partNumber} <strong className="number">{partNumber}</strong>
            </p>
            {listedMachines !== undefined && !isOfMachine && (
              <p className="fit-line">
                {!machine && <Icon path={CHECK} size="small" />} {fill(texts.fitsName, { name: listedMachines })}{" "}
                {!machine && <a href="#fit">{texts.fitCheckYours}</a>}
              </p>
            )}
            <Facts part={wholePart} />
          </header>
          <Card>
            <LiveOffer part={wholePart} />
          </Card>
          {missing && missing.length > 0 && <p role="status">{texts.missing}</p>}
          <FitCheck part={wholePart} answer={fitAnswer} />
          <Fits part={wholePart} />
          <OtherSizes sizes={tireSizes?.sizes.slice(1)} />
          <Beside parts={parts} />
          <AskPart part={wholePart} />
        </div>
        <Suspense>
          <div className="part-more stack">
            <Specification part={wholePart} />
            <Replacements part={wholePart} />
            <Diagrams diagrams={diagrams} partNumber={partNumber} />
            <Relatives part={wholePart} />
            <Spellings part={wholePart} />
          </div>
        </Suspense>
      </article>
    </Layout>
  );
}

/** A size such as 18x8.50-8 is not parted at its hyphen. */
function keepSizesWhole(title: string): ReactNode[] {
  return title.split(/(\S*\d-\d\S*)/).map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <span key={index} className="one-line">
        {piece}
      </span>
    ),
  );
}

function Specification({ part: wholePart }: { part: WholePart }): ReactNode {
  const { texts, language } = useShop();
  const { title, description, category, weightGrams, tire, attributes, manufacturer, partNumber } = wholePart;
  const facts: [string, ReactNode][] = [
    [texts.manufacturer, manufacturer.name],
    [texts.partNumber, partNumber],
    [texts.category, <a href={`/search?category=${encodeURIComponent(category)}`}>{nameCategory(category, texts)}</a>],
    ...(weightGrams === undefined ? [] : [[texts.weight, formatWeight(weightGrams, language)] as [string, ReactNode]]),
    ...(tire ? [[texts.tireSize, tire.size] as [string, ReactNode]] : []),
    ...(tire?.ply === undefined ? [] : [[texts.tirePly, tire.ply] as [string, ReactNode]]),
    ...Object.entries(attributes ?? {}),
  ];
  return (
    <Card heading={texts.specification}>
      {description !== undefined && description !== title && <p>{description}</p>}
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** The same tire in other sizes. */
function OtherSizes({ sizes = [] }: { sizes: TireSizes["sizes"] | undefined }): ReactNode {
  const { texts } = useShop();
  if (sizes.length === 0) return null;
  return (
    <Card heading={texts.otherSizes}>
      <ul className="chips">
        {sizes.map(({ slug, size }) => (
          <li key={slug}>
            <Chip href={`/parts/${encodeURIComponent(slug)}`}>{size}</Chip>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Parts of the same drawing, to buy with it. */
function Beside({ parts }: { parts: readonly PartBeside[] }): ReactNode {
  const { texts, language } = useShop();
  const partline = usePartline();
  if (parts.length === 0) return null;
  return (
    <Card heading={texts.goesWith}>
      <ul className="beside">
        {parts.map(({ id, partNumber, title, price }) => (
          <li key={id}>
            <span>
              <a href={`/parts/${encodeURIComponent(id)}`}>{title}</a>{" "}
              <span className="soft small number">{partNumber}</span>
            </span>
            <strong className="number">{money(price, "usd", language)}</strong>
            <AddToCart
              item={{ title, find: () => buyablePart(partline, id, { partNumber, title, unitPrice: price }) }}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Diagrams({ diagrams, partNumber }: { diagrams: readonly ShownDiagram[]; partNumber: string }): ReactNode {
  const { texts } = useShop();
  if (diagrams.length === 0) return null;
  return (
    <Card heading={texts.inDiagrams}>
      <ul className="figures">
        {diagrams.map(({ figureId, equipment, schema, page, imageUrl }) => (
          <li key={figureId}>
            <a
              href={`/figures/${encodeURIComponent(figureId)}?${new URLSearchParams({ part: partNumber }).toString()}`}
            >
              <img src={toFigurePicture(imageUrl)} alt="" width={240} height={180} loading="lazy" decoding="async" />
              <strong>{equipment}</strong>
              <span>{schema === "" ? fill(texts.drawingOfPage, { page }) : schema}</span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Parts that stand in for it, and parts that it consists of. */
function Relatives({ part: { interchange, kit } }: { part: WholePart }): ReactNode {
  const { texts, language } = useShop();
  const link = (id: string, name: string): ReactNode => <a href={`/parts/${encodeURIComponent(id)}`}>{name}</a>;
  return (
    <>
      {interchange.length > 0 && (
        <Card heading={texts.interchange}>
          <ul className="lines">
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
        </Card>
      )}
      {kit.length > 0 && (
        <Card heading={texts.kit}>
          <ul className="lines">
            {kit.map(({ vendor, partNumber, quantity, part: catalogPart }) => (
              <li key={`${vendor} ${partNumber}`}>
                {quantity} × {catalogPart ? link(catalogPart.id, partNumber) : partNumber}{" "}
                {catalogPart?.title ?? texts.notInCatalog}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

function Fits({ part: { fitment, partNumber } }: { part: WholePart }): ReactNode {
  const { texts } = useShop();
  if (fitment.length === 0) return null;
  const link = (equipment: string): ReactNode => <a href={`/machines/${encodeURIComponent(equipment)}`}>{equipment}</a>;
  const drawnFits = fitment.flatMap(({ pdf_link: page, ...fit }) => (page === null ? [] : [{ ...fit, page }]));
  const listedFits = [
    ...new Set(fitment.filter(({ pdf_link }) => pdf_link === null).map(({ equipment }) => equipment)),
  ];
  return (
    <Card heading={texts.fits}>
      {drawnFits.length > 0 && (
        <ul className="lines">
          {drawnFits.map(({ equipment, schema, quantity, page }) => (
            <li key={`${equipment} ${schema} ${page}`} className="kept">
              <span>
                {link(equipment)}
                <span className="soft small">
                  {[schema, quantity !== null && fill(texts.quantityInMachine, { count: quantity })]
                    .filter(Boolean)
                    .join(" · ")}
                </span>
              </span>
              <a href={manualAddress(page, partNumber)}>
                {texts.openPage}
                <span className="hidden">
                  : {equipment} {schema}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {listedFits.length > 0 && (
        <ul className="fit-list">
          {listedFits.map((equipment) => (
            <li key={equipment}>{link(equipment)}</li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** How its number is written elsewhere: for who searches a page for it. */
function Spellings({ part: { skuVariants, partNumber } }: { part: WholePart }): ReactNode {
  const { texts } = useShop();
  const spellings = skuVariants.filter((spelling) => spelling !== partNumber);
  if (spellings.length === 0) return null;
  return (
    <Disclosure summary={texts.alsoWritten} className="small">
      <p className="soft number">{spellings.join(", ")}</p>
    </Disclosure>
  );
}
