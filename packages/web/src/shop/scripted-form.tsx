import { useSyncExternalStore, type ComponentProps, type ReactNode } from "react";

const never = (): (() => void) => () => undefined;

/** A form that a script sends. Until that is here it takes nothing: the browser would put its fields into the address. */
export function ScriptedForm({ children, ...form }: ComponentProps<"form">): ReactNode {
  const isHere = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return (
    <form {...form}>
      <fieldset disabled={!isHere} className="scripted">
        {children}
      </fieldset>
    </form>
  );
}
