import type { ListedManual } from "@partline/client";
import type { ReactNode } from "react";
import { DataTable, Link, SimpleList } from "react-admin";
import { useMay } from "../may.ts";
import { List } from "../shared/list.tsx";
import { Section } from "../shared/section.tsx";
import { Page } from "../shared/page.tsx";
import { texts } from "../texts.ts";
import { Jobs } from "./jobs.tsx";
import { Upload } from "./upload.tsx";
import { useIsNarrow } from "../shared/use-is-narrow.ts";

const { manuals } = texts;
type Row = ListedManual & { id: string };

/** Manuals that were read, and those that are being read. */
export function ManualList(): ReactNode {
  const isNarrow = useIsNarrow("md");
  const may = useMay();
  return (
    <Page title={texts.menu.manuals}>
      {may("manuals:write") && <Upload />}
      <Jobs />
      <Section title={manuals.read}>
        <List actions={false} title={false} perPage={25}>
          {isNarrow ? (
            <SimpleList<Row>
              primaryText={({ title }) => title}
              secondaryText={(manual) => `${describeEquipment(manual)} · ${manuals.pageCount(manual.pages)}`}
              rowClick="show"
            />
          ) : (
            <DataTable<Row> bulkActionButtons={false} rowClick="show">
              <DataTable.Col<Row>
                label={manuals.name}
                disableSort
                render={({ title, sha256 }) => <Link to={`/manuals/${sha256}/show`}>{title}</Link>}
              />
              <DataTable.Col<Row> label={manuals.equipment} disableSort render={describeEquipment} />
              <DataTable.Col<Row> label={manuals.pages} disableSort render={({ pages }) => pages} />
            </DataTable>
          )}
        </List>
      </Section>
    </Page>
  );
}

function describeEquipment({ manufacturer, equipment, title }: ListedManual): string {
  // A manual that names no machine goes by its title.
  if (equipment.length === 1 && equipment[0] === title) return manuals.askMachine;
  return [manufacturer, equipment.join(", ")].filter(Boolean).join(" ");
}
