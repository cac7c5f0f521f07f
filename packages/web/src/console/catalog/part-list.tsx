import type { ListedPart } from "@partline/client";
import type { ReactNode } from "react";
import { DataTable, Link, SearchInput, SelectInput, SimpleList } from "react-admin";
import { money } from "../shared/format.ts";
import { CreateAction } from "../shared/create-action.tsx";
import { HiddenHeading } from "../shared/heading.tsx";
import { List } from "../shared/list.tsx";
import { Refusal } from "../shared/refusal.tsx";
import { texts } from "../texts.ts";
import { useVendors } from "./use-vendors.ts";
import { useIsNarrow } from "../shared/use-is-narrow.ts";

const { parts } = texts;

/** The parts of all vendors, or of one, by number or words. */
export function PartList(): ReactNode {
  const isNarrow = useIsNarrow("md");
  const { vendors, refusal } = useVendors();
  if (!vendors)
    return (
      <>
        <HiddenHeading>{texts.menu.parts}</HiddenHeading>
        <Refusal error={refusal} />
      </>
    );
  const filters = [
    <SearchInput key="q" source="q" alwaysOn placeholder={parts.search} aria-label={parts.search} />,
    <SelectInput
      key="vendor"
      source="vendor"
      alwaysOn
      label={texts.vendors.vendor}
      emptyText={texts.partForm.allVendors}
      choices={vendors.map(({ code, name }) => ({ id: code, name: `${name} (${code})` }))}
    />,
  ];
  return (
    <>
      <HiddenHeading>{texts.menu.parts}</HiddenHeading>
      <List filters={filters} actions={<CreateAction scope="catalog:write" label={texts.partForm.create} />}>
        {isNarrow ? (
          <SimpleList<ListedPart>
            primaryText={({ partNumber, title }) => `${partNumber} · ${title}`}
            secondaryText={(part) =>
              [formatPrice(part), parts.availabilities[part.availability], listMarks(part)].filter(Boolean).join(" · ")
            }
            rowClick="show"
          />
        ) : (
          <DataTable<ListedPart> bulkActionButtons={false} rowClick="show">
            <DataTable.Col<ListedPart>
              label={parts.number}
              disableSort
              render={({ id, partNumber }) => (
                <Link to={`/catalog-parts/${encodeURIComponent(id)}/show`}>{partNumber}</Link>
              )}
            />
            <DataTable.Col<ListedPart> source="title" label={parts.title} disableSort />
            <DataTable.Col<ListedPart>
              label={texts.vendors.vendor}
              disableSort
              render={({ manufacturer }) => manufacturer.name}
            />
            <DataTable.Col<ListedPart> label={parts.price} disableSort render={formatPrice} />
            <DataTable.Col<ListedPart>
              label={texts.stock.onHand}
              disableSort
              render={(part) => part.stock?.quantityOnHand ?? parts.availabilities[part.availability]}
            />
            <DataTable.Col<ListedPart> label={texts.partForm.marks} disableSort render={listMarks} />
          </DataTable>
        )}
      </List>
    </>
  );
}

/** What is unusual about a part. */
function listMarks({ status, hidden, edited }: ListedPart): string {
  const marks = [
    status === "discontinued" && parts.states.discontinued,
    hidden && texts.partForm.hidden.toLowerCase(),
    edited.length > 0 && texts.partForm.edited.toLowerCase(),
  ];
  return marks.filter(Boolean).join(", ");
}

function formatPrice({ price }: ListedPart): string | undefined {
  return price && money(price.list.value, price.list.currency);
}
