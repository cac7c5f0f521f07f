import type { ReactNode } from "react";
import { List as AdminList, useListContext, type ListProps } from "react-admin";
import { Refusal } from "./refusal.tsx";

/** A list that cannot be read says why: react-admin would say that nothing was found. */
export function List(props: ListProps): ReactNode {
  return <AdminList exporter={false} empty={false} error={<Unread />} {...props} />;
}

export function Unread(): ReactNode {
  return <Refusal error={useListContext().error} />;
}
