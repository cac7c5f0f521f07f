import type { VendorName } from "@partline/client";
import TextField from "@mui/material/TextField";
import { useState, type ReactNode } from "react";
import { ActionDialog } from "../shared/action-dialog.tsx";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";

const { vendors } = texts;

/** The names of a vendor, or of a new one, which is priced by files. */
export function VendorDialog({ vendor, onClose }: { vendor: VendorName | undefined; onClose(): void }): ReactNode {
  const [code, setCode] = useState(vendor?.code ?? "");
  const [name, setName] = useState(vendor?.name ?? "");
  const [aliases, setAliases] = useState(vendor?.aliases.join("\n") ?? "");
  const given = aliases.split("\n").map((alias) => alias.trim());
  return (
    <ActionDialog
      title={vendor ? `${vendors.rename} ${vendor.code}` : vendors.add}
      submit={vendors.save}
      done={vendors.saved}
      onClose={onClose}
      missing={vendors.noCode}
      given={[code, name, aliases]}
      run={
        /^[a-z]{3}$/i.test(code.trim())
          ? () =>
              partline.catalog.setVendor({
                code: code.trim(),
                ...(name.trim() === "" ? {} : { name: name.trim() }),
                aliases: given.filter((alias) => alias !== ""),
                isNew: !vendor,
              })
          : undefined
      }
    >
      {!vendor && (
        <TextField size="small" label={vendors.newCode} value={code} onChange={({ target }) => setCode(target.value)} />
      )}
      <TextField size="small" label={vendors.name} value={name} onChange={({ target }) => setName(target.value)} />
      <TextField
        multiline
        size="small"
        label={vendors.aliasLines}
        value={aliases}
        onChange={({ target }) => setAliases(target.value)}
      />
    </ActionDialog>
  );
}
