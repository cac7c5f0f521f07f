import type { WebhookEndpointWithSecret } from "@partline/client";
import type { ReactNode } from "react";
import {
  BooleanInput,
  CheckboxGroupInput,
  Edit,
  required,
  SimpleForm,
  TextInput,
  useRedirect,
  type RaRecord,
} from "react-admin";
import { HiddenHeading } from "../shared/heading.tsx";
import { Refusal } from "../shared/refusal.tsx";
import { CreateSecret } from "../shared/create-secret.tsx";
import { texts } from "../texts.ts";
import { useReading } from "../shared/use-reading.ts";
import { readEventTypes } from "./data.ts";

const RESOURCE = "webhooks";

export function WebhookCreate(): ReactNode {
  const redirect = useRedirect();
  const t = texts.webhooks;
  return (
    <CreateSecret<WebhookEndpointWithSecret & RaRecord>
      resource={RESOURCE}
      title={t.create}
      secretTitle={t.newSecret}
      secretOf={({ secret }) => secret}
      defaultValues={{ ordered: false, disabled: false, eventTypes: [] }}
      onSeen={({ endpointId }) => redirect("show", RESOURCE, endpointId)}
    >
      <Fields />
      <TextInput source="secret" label={t.ownSecret} autoComplete="off" fullWidth />
    </CreateSecret>
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
      <Refusal error={refusal} />
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
