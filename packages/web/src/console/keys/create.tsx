import type { NewKey } from "@partline/client";
import type { ReactNode } from "react";
import { CheckboxGroupInput, DateTimeInput, required, TextInput, useRedirect, type RaRecord } from "react-admin";
import { SCOPE_NAMES } from "../../../../../broker/contract/scopes.ts";
import { useMay } from "../may.ts";
import { CreateSecret } from "../shared/create-secret.tsx";
import { texts } from "../texts.ts";

/** A key for another system. Nobody can give what they do not have: other scopes are no choice. */
export function KeyCreate(): ReactNode {
  const may = useMay();
  const redirect = useRedirect();
  const t = texts.keys;
  return (
    <CreateSecret<NewKey & RaRecord>
      resource="keys"
      title={t.create}
      secretTitle={t.newKey}
      secretOf={({ key }) => key}
      defaultValues={{ scopes: [] }}
      onSeen={() => redirect("list", "keys")}
    >
      <TextInput source="name" label={t.name} helperText={t.nameHint} validate={required()} fullWidth />
      <CheckboxGroupInput
        source="scopes"
        label={t.scopes}
        row={false}
        sx={{ "& .MuiFormGroup-root": { gap: 1 } }}
        choices={SCOPE_NAMES.filter(may).map((id) => ({ id, name: `${id}: ${texts.scopes[id]}` }))}
        translateChoice={false}
        validate={required()}
      />
      <DateTimeInput source="expiresAt" label={t.expires} />
    </CreateSecret>
  );
}
