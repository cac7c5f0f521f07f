import type { WholePart } from "@partline/client";
import Alert from "@mui/material/Alert";
import type { ReactNode } from "react";
import { Link, useRecordContext } from "react-admin";
import { moment, money } from "../shared/format.ts";
import { Facts } from "../shared/facts.tsx";
import { Section } from "../shared/section.tsx";
import { Page } from "../shared/page.tsx";
import { ListSection } from "../shared/listed.tsx";
import { texts } from "../texts.ts";
import { OwnStockSection } from "./own-stock.tsx";
import { Whole } from "../shared/whole.tsx";

const { parts } = texts;

export function PartShow(): ReactNode {
  return (
    <Whole resource="whole-parts" title={false}>
      <Part />
    </Whole>
  );
}

/** A part with where its data came from, and everything that belongs to it. */
function Part(): ReactNode {
  const part = useRecordContext<WholePart>();
  if (!part) return null;
  const { price, stock, manufacturer, supersession, interchange, kit, fitment, missing = [] } = part;
  const replaced = [...supersession.supersededBy, ...supersession.supersedes];
  return (
    <Page title={`${part.partNumber} · ${part.title}`}>
      {missing.length > 0 && <Alert severity="warning">{parts.missing(missing.join(", "))}</Alert>}
      <Section title={parts.data}>
        <Facts
          facts={[
            [texts.vendors.vendor, `${manufacturer.name} (${manufacturer.code})`],
            [parts.sources, part.sources.join(", ")],
            [parts.status, parts.states[part.status]],
            [parts.category, part.category],
            [parts.price, price && money(price.list.value, price.list.currency)],
            [parts.availability, parts.availabilities[part.availability]],
            [parts.stock, stock && parts.known(stock.quantityOnHand, moment(stock.learntAt))],
            [parts.description, part.description],
            [parts.weight, part.weightGrams === undefined ? undefined : `${part.weightGrams} g`],
            [parts.changed, moment(part.updatedAt)],
            [parts.successor, supersession.unknownSuccessor ?? undefined],
          ]}
        />
      </Section>
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
          [parts.sources, ({ sources }) => sources.join(", ")],
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

function PartLink({ id, children }: { id: string | undefined; children: string }): ReactNode {
  return id === undefined ? children : <Link to={`/catalog-parts/${encodeURIComponent(id)}/show`}>{children}</Link>;
}
