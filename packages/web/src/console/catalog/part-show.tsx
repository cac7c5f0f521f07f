import type { PriceEdit } from "@partline/client";
import Alert from "@mui/material/Alert";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { EditButton, Link, useRecordContext } from "react-admin";
import { toPicturePath } from "../../../../../mixins/shop/shop-facts.ts";
import { useMay } from "../may.ts";
import { count, moment, money } from "../shared/format.ts";
import { Facts } from "../shared/facts.tsx";
import { Section } from "../shared/section.tsx";
import { Page } from "../shared/page.tsx";
import { ListSection } from "../shared/listed.tsx";
import { formatWeight } from "../../shared/numbers.ts";
import { language, texts } from "../texts.ts";
import type { StaffPart } from "./reads.ts";
import { OwnStockSection } from "./own-stock.tsx";
import { Whole } from "../shared/whole.tsx";

const { parts, partForm } = texts;

export function PartShow(): ReactNode {
  return (
    <Whole resource="whole-parts" title={false}>
      <Part />
    </Whole>
  );
}

/** A part with where its data came from, and everything that belongs to it. */
function Part(): ReactNode {
  const part = useRecordContext<StaffPart>();
  const mayEdit = useMay()("catalog:write");
  if (!part) return null;
  const { price, stock, manufacturer, supersession, interchange, kit, fitment, missing = [] } = part;
  const replaced = [...supersession.supersededBy, ...supersession.supersedes];
  return (
    <Page title={`${part.partNumber} · ${part.title}`}>
      {missing.length > 0 && <Alert severity="warning">{parts.missing(missing.join(", "))}</Alert>}
      {part.hidden && <Alert severity="info">{`${partForm.hidden}: ${partForm.hiddenHint}`}</Alert>}
      {mayEdit && (
        <EditButton resource="catalog-parts" label={partForm.edit} variant="outlined" sx={{ alignSelf: "start" }} />
      )}
      <Section title={parts.data}>
        <Facts
          facts={[
            [texts.vendors.vendor, `${manufacturer.name} (${manufacturer.code})`],
            [parts.sources, nameSources(part.sources)],
            [parts.status, parts.states[part.hidden ? "hidden" : part.status]],
            [parts.category, nameCategory(part.category)],
            [parts.price, price && money(price.list.value, price.list.currency)],
            [partForm.cost, part.cost !== undefined && money(part.cost, "usd")],
            [parts.availability, parts.availabilities[part.availability]],
            [parts.stock, stock && parts.known(stock.quantityOnHand, moment(stock.learntAt))],
            [parts.description, part.description],
            [parts.weight, part.weightGrams === undefined ? undefined : formatWeight(part.weightGrams, language)],
            [
              partForm.attributes,
              Object.entries(part.attributes ?? {})
                .map((entry) => entry.join(": "))
                .join("\n"),
            ],
            [partForm.images, part.media?.images && <Pictures urls={part.media.images.map(({ url }) => url)} />],
            [parts.changed, moment(part.updatedAt)],
            [parts.successor, supersession.unknownSuccessor ?? undefined],
          ]}
        />
      </Section>
      <EditsSection part={part} />
      <OwnStockSection id={part.id} />
      <ListSection
        title={parts.supersession}
        items={replaced}
        columns={[
          [parts.number, ({ id, partNumber }) => <PartLink id={id}>{partNumber}</PartLink>],
          [parts.title, ({ title }) => title],
          [
            parts.role,
            ({ id }) =>
              supersession.supersedes.some((superseded) => superseded.id === id) ? parts.before : parts.after,
          ],
        ]}
      />
      <ListSection
        title={parts.interchange}
        items={interchange}
        columns={[
          [parts.number, ({ partNumber, part: catalogPart }) => <PartLink id={catalogPart?.id}>{partNumber}</PartLink>],
          [texts.vendors.vendor, ({ manufacturer: { name } }) => name],
          [parts.direction, ({ direction }) => parts.directions[direction]],
          [parts.sources, ({ sources }) => nameSources(sources)],
        ]}
      />
      <ListSection
        title={parts.kit}
        items={kit}
        columns={[
          [parts.pieces, ({ quantity }) => quantity],
          [parts.number, ({ partNumber, part: catalogPart }) => <PartLink id={catalogPart?.id}>{partNumber}</PartLink>],
          [parts.title, ({ part: catalogPart }) => catalogPart?.title],
        ]}
      />
      <ListSection
        title={parts.fits}
        items={fitment}
        columns={[
          [parts.equipment, ({ equipment }) => equipment],
          [parts.figure, ({ schema }) => schema],
          [parts.pieces, ({ quantity }) => quantity],
        ]}
      />
    </Page>
  );
}

/** Parts without a category are of one that is called `parts`. */
const nameCategory = (category: string): string => (/^parts$/i.test(category) ? parts.noCategory : category);

/** What people changed, beside what the source says. */
function EditsSection({ part: { edits, cost } }: { part: StaffPart }): ReactNode {
  const { title, description, category, price, images, attributes, fits } = edits;
  const list = (items: string[]): string => items.join("\n");
  const rows: [string, { value: string | undefined; source: string | null | undefined } | undefined][] = [
    [parts.title, title],
    [parts.description, description],
    [
      parts.category,
      category && { value: nameCategory(category.value), source: category.source && nameCategory(category.source) },
    ],
    [
      parts.price,
      price && {
        value: writePrice(price.value, cost),
        source: price.source === null ? null : money(price.source, "usd"),
      },
    ],
    [partForm.images, images && { value: list(images.value), source: list(images.source) }],
    [
      partForm.attributes,
      attributes && { value: list(Object.entries(attributes.value).map((pair) => pair.join(": "))), source: null },
    ],
    [parts.fits, fits && { value: list(fits.value), source: list(fits.source) }],
  ];
  return (
    <ListSection
      title={partForm.edits}
      items={rows.flatMap(([name, edit]) => (edit ? [{ name, ...edit }] : []))}
      columns={[
        [partForm.field, ({ name }) => name],
        [partForm.ours, ({ value }) => <Text>{value}</Text>],
        [partForm.theirs, ({ source }) => <Text>{source}</Text>],
      ]}
    />
  );
}

function Text({ children }: { children: string | null | undefined }): ReactNode {
  return <span style={{ overflowWrap: "anywhere", whiteSpace: "pre-line" }}>{children || partForm.nothing}</span>;
}

function writePrice({ fixed, marginPercent = 0 }: PriceEdit, cost: number | undefined): string {
  if (fixed !== undefined) return money(fixed, "usd");
  const base = cost === undefined ? partForm.onPrice : partForm.cost;
  return `${base} ${marginPercent < 0 ? "−" : "+"} ${count(Math.abs(marginPercent))} %`;
}

const SHOWN = { width: 128, height: 128 };

/** Small ones, each a link to itself. */
function Pictures({ urls }: { urls: readonly string[] }): ReactNode {
  return (
    <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: "wrap" }}>
      {urls.map((url, index) => {
        const [, id] = /\/api\/media\/([0-9a-f]{64})$/.exec(url) ?? [];
        return (
          <a key={url} href={url} target="_blank" rel="noreferrer">
            <img
              src={id === undefined ? url : toPicturePath(id, SHOWN)}
              alt={`${partForm.images} ${index + 1}`}
              height={64}
              loading="lazy"
            />
          </a>
        );
      })}
    </Stack>
  );
}

/** Suppliers have no name but their id. */
function nameSources(sources: readonly string[]): string {
  return sources.map((source) => parts.sourceNames[source] ?? source).join(", ");
}

function PartLink({ id, children }: { id: string | undefined; children: string }): ReactNode {
  return id === undefined ? children : <Link to={`/catalog-parts/${encodeURIComponent(id)}/show`}>{children}</Link>;
}
