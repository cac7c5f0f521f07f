import type { WebhookEndpointWithSecret } from "@partline/client";
import { useState, type ReactNode } from "react";
import {
  BooleanInput,
  CheckboxGroupInput,
  Create,
  Edit,
  required,
  SimpleForm,
  TextInput,
  useRedirect,
  type RaRecord,
} from "react-admin";
import { HiddenHeading } from "../heading.tsx";
import { Refusal } from "../refusal.tsx";
import { SecretDialog, useMaking } from "../secret-dialog.tsx";
import { texts } from "../texts.ts";
import { useReading } from "../use-reading.ts";
import { readEventTypes } from "./data.ts";

const RESOURCE = "webhooks";

export function WebhookCreate(): ReactNode {
  const redirect = useRedirect();
  const [made, setMade] = useState<WebhookEndpointWithSecret>();
  const making = useMaking<WebhookEndpointWithSecret & RaRecord>(RESOURCE, setMade);
  return (
    <>
      <HiddenHeading>{texts.webhooks.create}</HiddenHeading>
      <Create title={texts.webhooks.create} redirect={false} mutationOptions={making}>
        <SimpleForm defaultValues={{ ordered: false, disabled: false, eventTypes: [] }}>
          <Fields />
          <TextInput source="secret" label={texts.webhooks.ownSecret} autoComplete="off" fullWidth />
        </SimpleForm>
      </Create>
      {made && (
        <SecretDialog
          title={texts.webhooks.newSecret}
          secret={made.secret}
          onClose={() => redirect("show", RESOURCE, made.endpointId)}
        />
      )}
    </>
  );
}

export function WebhookEdit(): ReactNode {
  return (
    <>
      <HiddenHeading>{texts.webhooks.edit}</HiddenHeading>
      <Edit title={texts.webhooks.edit} mutationMode="pessimistic" redirect="show" actions={false}>
        <SimpleForm>
          <Fields />
        </SimpleForm>
      </Edit>
    </>
  );
}

function Fields(): ReactNode {
  const { data: types = [], refusal } = useReading(["event-types"], readEventTypes);
  const t = texts.webhooks;
  return (
    <>
      <TextInput source="url" label={t.url} helperText={t.urlHint} validate={required()} fullWidth />
      <TextInput source="description" label={t.description} fullWidth />
      <Refusal of={refusal} />
      <CheckboxGroupInput
        source="eventTypes"
        label={t.events}
        choices={types.map((id) => ({ id, name: id }))}
        translateChoice={false}
        validate={required()}
      />
      <BooleanInput source="ordered" label={t.ordered} />
      <BooleanInput source="disabled" label={t.disabled} />
    </>
  );
}
