import { createContext, useContext } from "react";
import type { Scope } from "../../../../broker/contract/scopes.ts";

const Scopes = createContext<readonly Scope[]>([]);
export const ScopesProvider = Scopes.Provider;

/** Shows what the user may do: a page shows nothing that the API would refuse. */
export function useMay(): (scope: Scope) => boolean {
  const scopes = useContext(Scopes);
  return (scope) => scopes.includes(scope);
}
