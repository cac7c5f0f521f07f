import type { IndexedPart } from "@partline/client";
import useMediaQuery from "@mui/material/useMediaQuery";
import type { ReactNode } from "react";
import { DataTable, Link, SearchInput, SelectInput, SimpleList } from "react-admin";
import { money } from "../shared/format.ts";
import { HiddenHeading } from "../shared/heading.tsx";
import { List } from "../shared/list.tsx";
import { Refusal } from "../shared/refusal.tsx";
import { texts } from "../texts.ts";
import { useVendors } from "./use-vendors.ts";

const { parts } = texts;

/** The parts of a vendor, by number or title. */
export function PartList(): ReactNode {
  const isNarrow = useMediaQuery((theme) => theme.breakpoints.down("md"));
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
      validate={() => undefined}
      choices={vendors.map(({ code, name }) => ({ id: code, name: `${name} (${code})` }))}
    />,
  ];
  return (
    <>
      <HiddenHeading>{texts.menu.parts}</HiddenHeading>
      <List filters={filters} filterDefaultValues={{ vendor: vendors[0]?.code }} actions={false}>
        {isNarrow ? (
          <SimpleList<IndexedPart>
            primaryText={({ partNumber, title }) => `${partNumber} · ${title}`}
            secondaryText={(part) =>
              [priceOf(part), parts.availabilities[part.availability]].filter(Boolean).join(" · ")
            }
            rowClick="show"
          />
        ) : (
          <DataTable<IndexedPart> bulkActionButtons={false} rowClick="show">
            <DataTable.Col<IndexedPart>
              label={parts.number}
              disableSort
              render={({ id, partNumber }) => (
                <Link to={`/catalog-parts/${encodeURIComponent(id)}/show`}>{partNumber}</Link>
              )}
            />
            <DataTable.Col<IndexedPart> source="title" label={parts.title} disableSort />
            <DataTable.Col<IndexedPart> source="category" label={parts.category} disableSort />
            <DataTable.Col<IndexedPart> label={parts.price} disableSort render={priceOf} />
            <DataTable.Col<IndexedPart>
              label={parts.stock}
              disableSort
              render={(part) => part.stock?.quantityOnHand ?? parts.availabilities[part.availability]}
            />
            <DataTable.Col<IndexedPart>
              label={parts.status}
              disableSort
              render={({ status }) => parts.states[status]}
            />
          </DataTable>
        )}
      </List>
    </>
  );
}

function priceOf({ price }: IndexedPart): string | undefined {
  return price && money(price.list.value, price.list.currency);
}
