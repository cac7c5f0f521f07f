import type { ReactNode } from "react";
import { Show, useShowContext, type RaRecord } from "react-admin";
import { HiddenHeading } from "./heading.tsx";
import { Refusal } from "./refusal.tsx";
import { describeProblem } from "./words-of.ts";

interface WholeProps {
  /** The resource, the address's own unless given: a name that has no list. */
  resource?: string;
  /** The window's title; false for pages that set it themselves. */
  title?: string | false;
  children: ReactNode;
}

/**
 * A page of one record. React-admin would go to the list after any error: here the page stays as it was last read, with
 * what is typed on it, and one that was never read says why.
 */
export function Whole({ children, ...show }: WholeProps): ReactNode {
  return (
    <Show {...show} component="div" actions={false} emptyWhileLoading queryOptions={{ onError: () => undefined }}>
      <Read>{children}</Read>
    </Show>
  );
}

function Read({ children }: { children: ReactNode }): ReactNode {
  const { record, error } = useShowContext<RaRecord>();
  if (record || !error) return children;
  return (
    <>
      <HiddenHeading>{describeProblem(error)}</HiddenHeading>
      <Refusal error={error} />
    </>
  );
}
