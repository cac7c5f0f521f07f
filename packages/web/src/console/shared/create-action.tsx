import type { ReactNode } from "react";
import { CreateButton, TopToolbar } from "react-admin";
import type { Scope } from "../../../../../broker/contract/scopes.ts";
import { useMay } from "../may.ts";

/** Shows the way to a new record above a list, to those who may create one. */
export function CreateAction({ scope, label }: { scope: Scope; label: string }): ReactNode {
  return <TopToolbar>{useMay()(scope) && <CreateButton label={label} />}</TopToolbar>;
}
