import Stack from "@mui/material/Stack";
import { useState, type ReactNode } from "react";
import { useVendors } from "../catalog/use-vendors.ts";
import { useMay } from "../may.ts";
import { ChoiceField } from "../shared/choice-field.tsx";
import { Page } from "../shared/page.tsx";
import { partline } from "../partline.ts";
import { Refusal } from "../shared/refusal.tsx";
import { texts } from "../texts.ts";
import { FileImport } from "./file-import.tsx";
import { Imports } from "./imports.tsx";

const { priceFiles } = texts;

/** A vendor's price file. */
export function PriceFilePage(): ReactNode {
  const { vendors = [], refusal } = useVendors();
  const [chosen, setChosen] = useState<string>();
  const mayImport = useMay()("catalog:write");
  const vendor = chosen ?? "";
  return (
    <Page title={priceFiles.title}>
      <Refusal error={refusal} />
      {mayImport && vendors.length > 0 && (
        <Stack spacing={2} sx={{ maxWidth: "48rem" }}>
          <ChoiceField
            label={priceFiles.vendor}
            value={vendor}
            values={[
              ...(vendor === "" ? [["", priceFiles.chooseVendor] as const] : []),
              ...vendors.map(({ code, name }) => [code, `${name} (${code})`] as const),
            ]}
            onChange={setChosen}
          />
          {vendor !== "" && (
            <FileImport
              // A report is of one vendor.
              key={vendor}
              label={priceFiles.file}
              check={(request) => partline.catalog.import({ vendor, dryRun: true, ...request })}
              run={(request) => partline.catalog.import({ vendor, ...request })}
            />
          )}
        </Stack>
      )}
      <Imports />
    </Page>
  );
}
