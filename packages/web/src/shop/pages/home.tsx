import type { FacetValue, OwnMachine, PartPreview, Partline } from "@partline/client";
import { type ReactNode, Suspense } from "react";
import { fill } from "../../shared/language.ts";
import { count } from "../../shared/numbers.ts";
import { useShop } from "../context.tsx";
import { Button, ButtonLink } from "../kit/button.tsx";
import { Chip } from "../kit/chip.tsx";
import { Disclosure } from "../kit/disclosure.tsx";
import { Icon } from "../kit/icon.tsx";
import { ASK, CHECK, PHONE, RETURN, STORE, TRUCK } from "../kit/icons/ui.ts";
import { PartIcon } from "../kit/icons/part-icon.tsx";
import { Price } from "../kit/price.tsx";
import { Tile } from "../kit/tile.tsx";
import { Layout, toPhoneAddress } from "../layout.tsx";
import { chooseMachine } from "../machine/choose-machine.ts";
import { MachineField } from "../machine/machine-field.tsx";
import type { PageDefinition } from "../page.ts";
import { nameCategory } from "../parts/category.ts";
import { Picture } from "../parts/picture.tsx";
import { SearchField } from "../search-field.tsx";

/** What the catalog has: texts name nothing else. */
type Range = "parts" | "tires" | "both";

interface HomeData {
  range: Range;
  makers: FacetValue[];
  categories: FacetValue[];
  /** Searches that find something here. */
  examples: string[];
  /** One of each of the largest categories. */
  common: PartPreview[];
  /** Models that the shop knows, and one to show how they are written. */
  machines: { total: number; example: string | undefined };
  ownMachines: readonly OwnMachine[];
}

const MOST_TILES = 10;
const MOST_COMMON = 5;
/** Categories that may have none. */
const SPARE = 2;
const CANDIDATES = 24;
const MOST_MAKERS = 24;
const MOST_FITS = 2;

export const home: PageDefinition<HomeData> = {
  path: "/",
  load: async ({ partline, user }) => {
    const [{ facets }, models, profile] = await Promise.all([
      partline.search.filters({}),
      partline.ai.fitmentModels({ pageSize: 1 }).catch(() => undefined),
      user ? partline.user.me({}).catch(() => undefined) : undefined,
    ]);
    const { category: categories, manufacturer: makers, tireSize = [] } = facets;
    const common = await listCommonParts(partline, categories);
    const tires = tireSize.reduce((sum, { count: tiresOfSize }) => sum + tiresOfSize, 0);
    const parts = categories.reduce((sum, { count: partsOfCategory }) => sum + partsOfCategory, 0);
    return {
      range: tires === 0 ? "parts" : tires >= parts ? "tires" : "both",
      makers,
      categories,
      examples: [common.at(-1)?.partNumber, categories[1]?.label, tireSize[0]?.label].filter(
        (text) => text !== undefined,
      ),
      common,
      machines: { total: models?.pagination.total ?? 0, example: models?.models[0]?.equipment },
      ownMachines: profile?.machines ?? [],
    };
  },
  head: ({ range }, { texts, origin, shopName }) => ({
    title: `${shopName}: ${texts[`homeTitle_${range}`]}`,
    description: texts[`homeDescription_${range}`],
    canonical: `${origin}/`,
  }),
  View: Home,
};

/** Lists a part of each of the largest categories: with a picture and in stock, for the most machines. */
async function listCommonParts(partline: Partline, categories: readonly FacetValue[]): Promise<PartPreview[]> {
  const lists = await Promise.all(
    categories.slice(0, MOST_COMMON + SPARE).map(async ({ value }) => {
      const { parts } = await partline.search.search({ category: [value], inStock: true, limit: CANDIDATES });
      return parts.filter(({ price, imageUrl }) => price !== null && imageUrl !== null);
    }),
  );
  const firsts = lists.flatMap((parts) =>
    parts.sort((first, second) => countFits(second) - countFits(first)).slice(0, 1),
  );
  return [...new Map(firsts.map((part) => [part.id, part])).values()].slice(0, MOST_COMMON);
}

const countFits = ({ fits = [] }: PartPreview): number => fits.length;

function Home({ data }: { data: HomeData }): ReactNode {
  const { texts } = useShop();
  const { range, examples, common, categories, makers } = data;
  return (
    <Layout hasOwnSearch>
      <div className={data.machines.total > 0 ? "hero" : "hero alone"}>
        <div className="hero-search">
          <h1>{texts[`homeHero_${range}`]}</h1>
          <p className="lead">{texts[`homeDescription_${range}`]}</p>
          <SearchField large />
          {examples.length > 0 && (
            <div className="chips">
              <span className="soft small">{texts.homeTry}</span>
              {examples.map((example) => (
                <Chip key={example} href={`/search?q=${encodeURIComponent(example)}`}>
                  {example}
                </Chip>
              ))}
            </div>
          )}
        </div>
        {data.machines.total > 0 && <Finder {...data} />}
      </div>
      <Suspense>
        <Categories categories={categories} />
        {common.length > 0 && (
          <section>
            <h2>{texts.homeCommon}</h2>
            <ul className="common">
              {common.map((part) => (
                <li key={part.id}>
                  <a href={`/parts/${part.slug}`} className="common-part">
                    <Picture url={part.imageUrl} alt="" name={part.title} size={160} />
                    <span className="common-title">{part.title}</span>
                    <span className="soft small">
                      {part.manufacturer.name} · {part.partNumber}
                    </span>
                    <Price value={part.price} currency={part.currency} />
                    <Fits machines={part.fits} />
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )}
        <Makers makers={makers} />
        <Trust machines={data.machines.total} />
      </Suspense>
    </Layout>
  );
}

function Fits({ machines = [] }: { machines: readonly string[] | undefined }): ReactNode {
  const { texts } = useShop();
  if (machines.length === 0) return null;
  const names = machines.slice(0, MOST_FITS).join(", ");
  return <span className="soft small">{fill(texts.fitsMachine, { machine: names })}</span>;
}

/** The way over the machine: one field for make and model, and the machines that the shopper has. */
function Finder({ machines, ownMachines }: Pick<HomeData, "machines" | "ownMachines">): ReactNode {
  const { texts, language, machine } = useShop();
  return (
    <section className="card finder">
      <h2>
        <a href="/machines">{texts.machines}</a>
      </h2>
      <p className="soft">{fill(texts.finderText, { count: count(machines.total, language) })}</p>
      <form action="/machines">
        <MachineField
          label={texts.makeModel}
          {...(machines.example !== undefined && {
            placeholder: fill(texts.forExample, { example: machines.example }),
          })}
        >
          <Button>{texts.find}</Button>
        </MachineField>
      </form>
      <p className="finder-desk">
        <ButtonLink href="/desk" size="compact">
          <Icon path={ASK} size="small" />
          {texts.deskAskIt}
        </ButtonLink>
      </p>
      {ownMachines.length > 0 && (
        <>
          <h3>{texts.ownMachines}</h3>
          <ul className="chips">
            {ownMachines.map(({ model, name }) => (
              <li key={`${model} ${name}`}>
                <OwnMachineChip model={model} name={name} isOn={machine?.model === model} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function OwnMachineChip({ model, name, isOn }: { model: string; name: string; isOn: boolean }): ReactNode {
  const address = `/machines/${encodeURIComponent(model)}`;
  return (
    <Chip isOn={isOn}>
      <a
        href={address}
        onClick={(event) => {
          event.preventDefault();
          chooseMachine({ model, equipment: name, name }, address);
        }}
      >
        {name}
      </a>
    </Chip>
  );
}

/** The categories of the most parts first, the others when they are wanted. */
function Categories({ categories }: Pick<HomeData, "categories">): ReactNode {
  const { texts, language } = useShop();
  if (categories.length === 0) return null;
  const renderTiles = (values: FacetValue[]): ReactNode => (
    <ul className="tiles five">
      {values.map(({ value, label, count: parts }) => (
        <Tile
          key={value}
          href={`/search?category=${encodeURIComponent(value)}`}
          icon={<PartIcon name={label} />}
          note={parts === 1 ? texts.resultCountOne : fill(texts.resultCount, { count: count(parts, language) })}
        >
          {nameCategory(value, texts, label)}
        </Tile>
      ))}
    </ul>
  );
  return (
    <section>
      <h2>{texts.homeCategories}</h2>
      {renderTiles(categories.slice(0, MOST_TILES))}
      {categories.length > MOST_TILES && (
        <Disclosure summary={fill(texts.more, { count: count(categories.length, language) })}>
          {renderTiles(categories.slice(MOST_TILES))}
        </Disclosure>
      )}
    </section>
  );
}

function Makers({ makers }: Pick<HomeData, "makers">): ReactNode {
  const { texts, language } = useShop();
  if (makers.length === 0) return null;
  return (
    <section>
      <h2>{texts.homeMakers}</h2>
      <ul className="chips">
        {makers.slice(0, MOST_MAKERS).map(({ value, label, count: parts }) => (
          <li key={value}>
            <Chip href={`/search?manufacturer=${encodeURIComponent(value)}`}>
              {label} <span className="soft number">{count(parts, language)}</span>
            </Chip>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What a shopper can rely on, as far as the shop says it of itself. */
function Trust({ machines }: { machines: number }): ReactNode {
  const { texts, language, facts, policies } = useShop();
  const { phone, openingHours, returns, pickupPlaces, address } = facts;
  const place = pickupPlaces[0]?.address ?? address;
  const promises = [
    machines > 0 && {
      icon: CHECK,
      title: texts.trustLists,
      text: fill(texts.trustListsText, { count: count(machines, language) }),
    },
    returns.days > 0 && {
      icon: RETURN,
      title: fill(texts.returnsIn, { days: returns.days }),
      text: texts.trustReturnsText,
    },
    policies.includes("shipping") && {
      icon: TRUCK,
      title: texts.policy_shipping,
      text: <a href="/policies/shipping">{texts.trustShippingText}</a>,
    },
    place.length > 0 && { icon: STORE, title: texts.pickupPlace, text: place.join(", ") },
    phone !== null
      ? {
          icon: PHONE,
          title: texts.trustCall,
          text: (
            <>
              <a href={toPhoneAddress(phone)}>{phone}</a> {openingHours[0]}
            </>
          ),
        }
      : { icon: ASK, title: texts.deskAskIt, text: <a href="/desk">{texts.trustDeskText}</a> },
  ].filter((promise) => promise !== false);
  return (
    <section className="card" aria-label={texts.trust}>
      <ul className="trust">
        {promises.map(({ icon, title, text }) => (
          <li key={title}>
            <Icon path={icon} />
            <span>
              <strong>{title}</strong>
              <span className="soft small">{text}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
