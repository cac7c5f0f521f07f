import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Create, SimpleForm, type RaRecord } from "react-admin";
import { HiddenHeading } from "./heading.tsx";
import { SecretDialog } from "./secret-dialog.tsx";

interface CreateSecretProps<T> {
  resource: string;
  title: string;
  /** The title of the dialog that shows the secret. */
  secretTitle: string;
  secretOf(created: T): string;
  defaultValues: object;
  /** Called when the secret was seen. */
  onSeen(created: T): void;
  children: ReactNode;
}

/** A form for what the API makes with a secret that it shows once. */
export function CreateSecret<T extends RaRecord>(props: CreateSecretProps<T>): ReactNode {
  const { resource, title, secretTitle, secretOf, defaultValues, onSeen, children } = props;
  const queryClient = useQueryClient();
  const [created, setCreated] = useState<T>();
  const onSuccess = (answer: T): void => {
    // react-admin keeps what it made: no copy of a secret stays there.
    queryClient.removeQueries({ queryKey: [resource, "getOne"] });
    setCreated(answer);
  };
  return (
    <>
      <HiddenHeading>{title}</HiddenHeading>
      <Create<T> title={title} redirect={false} mutationOptions={{ onSuccess, gcTime: 0 }}>
        <SimpleForm defaultValues={defaultValues}>{children}</SimpleForm>
      </Create>
      {created && <SecretDialog title={secretTitle} secret={secretOf(created)} onClose={() => onSeen(created)} />}
    </>
  );
}
