import type { VendorName } from "@partline/client";
import { useState, type ReactNode } from "react";
import { ActionDialog } from "../shared/action-dialog.tsx";
import { partline } from "../partline.ts";
import { TextInput } from "../shared/text-input.tsx";
import { texts } from "../texts.ts";

const { vendors } = texts;

/** The names of a vendor, or of a new one, which is priced by files. */
export function VendorDialog({ vendor, onClose }: { vendor: VendorName | undefined; onClose(): void }): ReactNode {
  const [code, setCode] = useState(vendor?.code ?? "");
  const [name, setName] = useState(vendor?.name ?? "");
  const [aliases, setAliases] = useState(vendor?.aliases.join("\n") ?? "");
  const names = aliases.split("\n").map((alias) => alias.trim());
  return (
    <ActionDialog
      title={vendor ? `${vendors.rename} ${vendor.code}` : vendors.add}
      submit={vendors.save}
      done={vendors.saved}
      onClose={onClose}
      hint={vendors.noCode}
      values={[code, name, aliases]}
      run={
        /^[a-z]{3}$/i.test(code.trim())
          ? () =>
              partline.catalog.setVendor({
                code: code.trim(),
                ...(name.trim() === "" ? {} : { name: name.trim() }),
                aliases: names.filter((alias) => alias !== ""),
                isNew: !vendor,
              })
          : undefined
      }
    >
      {!vendor && <TextInput label={vendors.newCode} value={code} onChange={setCode} />}
      <TextInput label={vendors.name} value={name} onChange={setName} />
      <TextInput
        multiline

        label={vendors.aliasLines}
        value={aliases}
        onChange={setAliases}
      />
    </ActionDialog>
  );
}
