import type { VendorName } from "@partline/client";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useState, type ReactNode } from "react";
import { Confirmed } from "../shared/confirmed.tsx";
import { useMay } from "../may.ts";
import { Page } from "../shared/page.tsx";
import { partline } from "../partline.ts";
import { Refusal } from "../shared/refusal.tsx";
import { Listed } from "../shared/listed.tsx";
import { texts } from "../texts.ts";
import { useVendors } from "./use-vendors.ts";
import { VendorDialog } from "./vendor-dialog.tsx";

const { vendors } = texts;

/** Names of the vendors, and what becomes of pieces beyond their stock. */
export function VendorsPage(): ReactNode {
  const { vendors: allVendors, refusal } = useVendors();
  const [editedVendor, setEditedVendor] = useState<VendorName | "new">();
  const mayChange = useMay()("catalog:write");
  return (
    <Page title={texts.menu.vendors}>
      <p>{vendors.policyHelp}</p>
      {mayChange && (
        <Button variant="outlined" sx={{ alignSelf: "start" }} onClick={() => setEditedVendor("new")}>
          {vendors.add}
        </Button>
      )}
      <Refusal error={refusal} />
      <Listed
        name={texts.menu.vendors}
        emptyText={vendors.none}
        items={allVendors}
        columns={[
          [vendors.code, ({ code }) => code],
          [vendors.name, ({ name }) => name],
          [vendors.aliases, ({ aliases }) => aliases.join(", ")],
          [vendors.pricing, ({ pricing }) => vendors.pricings[pricing]],
          [vendors.beyondStock, describePolicy],
          ...(mayChange ? [[vendors.change, (vendor: VendorName) => changes(vendor, setEditedVendor)] as const] : []),
        ]}
      />
      {editedVendor && (
        <VendorDialog
          vendor={editedVendor === "new" ? undefined : editedVendor}
          onClose={() => setEditedVendor(undefined)}
        />
      )}
    </Page>
  );
}

function describePolicy({ beyondStock, backorderDays }: VendorName): string {
  if (beyondStock === "up_to_stock") return vendors.refused;
  return backorderDays === undefined ? vendors.sold : vendors.soldWithin(backorderDays);
}

function changes(vendor: VendorName, edit: (vendor: VendorName) => void): ReactNode {
  const { code, name, isDefault } = vendor;
  return (
    <Stack direction="row" spacing={1}>
      <Button size="small" aria-label={`${vendors.rename}: ${name}`} onClick={() => edit(vendor)}>
        {vendors.rename}
      </Button>
      {!isDefault && (
        <Confirmed
          size="small"
          label={vendors.reset}
          name={name}
          question={vendors.resetQuestion}
          done={vendors.wasReset}
          run={() => partline.catalog.resetVendor({ code })}
        />
      )}
    </Stack>
  );
}
