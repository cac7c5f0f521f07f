import type { NewKey } from "@partline/client";
import { useState, type ReactNode } from "react";
import {
  CheckboxGroupInput,
  Create,
  DateTimeInput,
  required,
  SimpleForm,
  TextInput,
  useRedirect,
  type RaRecord,
} from "react-admin";
import { SCOPE_NAMES } from "../../../broker/contract/scopes.ts";
import { HiddenHeading } from "../heading.tsx";
import { useMay } from "../may.ts";
import { SecretDialog, useMaking } from "../secret-dialog.tsx";
import { texts } from "../texts.ts";

/** A key for another system. Nobody can give what they do not have: other scopes are no choice. */
export function KeyCreate(): ReactNode {
  const may = useMay();
  const redirect = useRedirect();
  const [made, setMade] = useState<NewKey>();
  const making = useMaking<NewKey & RaRecord>("keys", setMade);
  const t = texts.keys;
  return (
    <>
      <HiddenHeading>{t.create}</HiddenHeading>
      <Create title={t.create} redirect={false} mutationOptions={making}>
        <SimpleForm defaultValues={{ scopes: [] }}>
          <TextInput source="name" label={t.name} helperText={t.nameHint} validate={required()} fullWidth />
          <CheckboxGroupInput
            source="scopes"
            label={t.scopes}
            row={false}
            choices={SCOPE_NAMES.filter(may).map((id) => ({ id, name: `${id}: ${texts.scopes[id]}` }))}
            translateChoice={false}
            validate={required()}
          />
          <DateTimeInput source="expiresAt" label={t.expires} />
        </SimpleForm>
      </Create>
      {made && <SecretDialog title={t.newKey} secret={made.key} onClose={() => redirect("list", "keys")} />}
    </>
  );
}
