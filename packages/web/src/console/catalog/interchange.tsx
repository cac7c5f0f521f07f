import type { CrossReference } from "@partline/client";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { DataTable, TextInput } from "react-admin";
import { Confirmed } from "../shared/confirmed.tsx";
import { useMay } from "../may.ts";
import { List } from "../shared/list.tsx";
import { Section } from "../shared/section.tsx";
import { Page } from "../shared/page.tsx";
import { partline } from "../partline.ts";
import { FileImport } from "../price-files/file-import.tsx";
import { texts } from "../texts.ts";

const { interchange } = texts;
type Row = CrossReference & { id: string };

const FILTERS = [<TextInput key="partNumber" source="partNumber" alwaysOn label={texts.parts.number} />];

/** Which numbers can be used in place of which: a file of them, and those that are known. */
export function InterchangeList(): ReactNode {
  const mayChange = useMay()("catalog:write");
  return (
    <Page title={texts.menu.interchange}>
      {mayChange && (
        <Section title={interchange.import}>
          <Stack spacing={2} sx={{ maxWidth: "48rem" }}>
            <p>{interchange.help}</p>
            <FileImport label={interchange.file} run={(request) => partline.catalog.importInterchange(request)} />
          </Stack>
        </Section>
      )}
      <Section title={interchange.known}>
        <List filters={FILTERS} actions={false} title={false}>
          <DataTable<Row> bulkActionButtons={false} rowClick={false}>
            <DataTable.Col<Row> label={interchange.part} disableSort render={({ part }) => formatNumber(part)} />
            <DataTable.Col<Row>
              label={interchange.direction}
              disableSort
              render={({ direction }) => (direction === "both" ? "↔" : "←")}
            />
            <DataTable.Col<Row>
              label={interchange.other}
              disableSort
              render={({ other: counterpart }) => formatNumber(counterpart)}
            />
            <DataTable.Col<Row> source="source" label={texts.parts.sources} disableSort />
            {mayChange && (
              <DataTable.Col<Row>
                label={interchange.remove}
                disableSort
                render={({ id, part, other: counterpart }) => (
                  <Confirmed
                    size="small"
                    label={interchange.remove}
                    name={`${formatNumber(part)}, ${formatNumber(counterpart)}`}
                    question={interchange.removeQuestion}
                    done={interchange.removed}
                    run={() => partline.catalog.removeCrossReference({ id })}
                  />
                )}
              />
            )}
          </DataTable>
        </List>
      </Section>
    </Page>
  );
}

function formatNumber({ vendor, partNumber }: CrossReference["part"]): string {
  return `${vendor} ${partNumber}`;
}
