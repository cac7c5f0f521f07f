import type { ReactNode } from "react";
import { Show, useShowContext } from "react-admin";
import { Refusal } from "./refusal.tsx";

/** Shows what is read by a name that has no list. React-admin would go to its list after an error. */
export function Whole({ resource, children }: { resource: string; children: ReactNode }): ReactNode {
  return (
    <Show
      resource={resource}
      component="div"
      title={false}
      actions={false}
      emptyWhileLoading
      error={<Failed />}
      queryOptions={{ onError: () => undefined }}
    >
      {children}
    </Show>
  );
}

function Failed(): ReactNode {
  return <Refusal of={useShowContext().error as Error} />;
}
