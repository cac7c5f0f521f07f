import type { VendorName } from "@partline/client";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useState, type ReactNode } from "react";
import { ChoiceField } from "../shared/choice-field.tsx";
import { Section } from "../shared/section.tsx";
import { useAction } from "../shared/use-action.ts";
import { partline } from "../partline.ts";
import { Refusal } from "../shared/refusal.tsx";
import { texts } from "../texts.ts";
import { useVendors } from "./use-vendors.ts";

const { syncs } = texts;

/** A supplier's listing, or the dealer's word on a vendor's parts. What runs already is joined. */
export function StartSync(): ReactNode {
  const { vendors: allVendors = [], refusal: unread } = useVendors();
  const vendors = allVendors.filter(({ pricing }) => pricing !== "manual");
  const [chosen, setChosen] = useState("");
  const { act, refusal, isBusy } = useAction(syncs.started);
  const vendor = vendors.find(({ code }) => code === chosen) ?? vendors[0];
  const start = ({ code, pricing }: VendorName) =>
    pricing === "listing" ? partline.catalog.batchSync({ supplier: code }) : partline.catalog.refresh({ vendor: code });
  // Without a dealer's system and a supplier, nothing can be synced.
  if (!vendor && unread === undefined) return null;
  return (
    <Section title={syncs.begin}>
      <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: "wrap", maxWidth: "40rem" }}>
        <ChoiceField
          label={texts.vendors.vendor}
          value={vendor?.code ?? ""}
          values={vendors.map(
            ({ code, name, pricing }) => [code, `${name}: ${texts.vendors.pricings[pricing]}`] as const,
          )}
          onChange={setChosen}
        />
        <Button variant="contained" disabled={!vendor || isBusy} onClick={() => vendor && act(() => start(vendor))}>
          {syncs.start}
        </Button>
      </Stack>
      <Refusal error={refusal ?? unread} />
    </Section>
  );
}
