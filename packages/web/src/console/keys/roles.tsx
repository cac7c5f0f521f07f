import type { ReactNode } from "react";
import { ROLES, SCOPE_NAMES, listScopes } from "../../../../../broker/contract/scopes.ts";
import { Page } from "../shared/page.tsx";
import { FiguresTable } from "../shared/figures-table.tsx";
import { texts } from "../texts.ts";

const MAY = "✓";

/** Lists what each role may do. */
export function RolesPage(): ReactNode {
  const scopeLists = ROLES.map((role) => listScopes(role));
  return (
    <Page title={texts.menu.roles}>
      <p>{texts.roles.hint}</p>
      <FiguresTable
        label={texts.menu.roles}
        head={[texts.roles.may, ...ROLES]}
        rows={SCOPE_NAMES.map((scope) => [
          `${scope}: ${texts.scopes[scope]}`,
          ...scopeLists.map((scopes) => (scopes.includes(scope) ? MAY : "")),
        ])}
      />
    </Page>
  );
}
