import type { ComponentProps, ReactNode } from "react";
import { useHasScript } from "./use-has-script.ts";

/**
 * A form that a script sends. Until that is here it takes nothing: the browser would put its fields into the address.
 */
export function ScriptedForm({ children, ...form }: ComponentProps<"form">): ReactNode {
  const hasScript = useHasScript();
  return (
    <form {...form}>
      <fieldset disabled={!hasScript} className="scripted">
        {children}
      </fieldset>
    </form>
  );
}
