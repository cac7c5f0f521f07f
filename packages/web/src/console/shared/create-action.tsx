import type { ReactNode } from "react";
import { CreateButton, TopToolbar } from "react-admin";
import type { Scope } from "../../../../../broker/contract/scopes.ts";
import { useMay } from "../may.ts";

/** Above a list: the way to a new one, for who may make it. */
export function CreateAction({ scope, label }: { scope: Scope; label: string }): ReactNode {
  return <TopToolbar>{useMay()(scope) && <CreateButton label={label} />}</TopToolbar>;
}
