import Alert from "@mui/material/Alert";
import type { ReactNode } from "react";
import { listScopes, ROLES, type Scope } from "../../../../broker/contract/scopes.ts";
import { Page } from "./shared/page.tsx";
import { texts } from "./texts.ts";

const t = texts.missingScope;

/** Stands in place of a page that the person may not see: what is missing, and who can grant it. */
export function MissingScope({ scope }: { scope: Scope }): ReactNode {
  const roles = ROLES.filter((role) => listScopes(role).includes(scope)).join(", ");
  return (
    <Page title={t.title}>
      <Alert severity="info">
        <p>{t.describe(texts.scopes[scope] ?? scope, scope)}</p>
        <p>{t.listRoles(roles)}</p>
        <p>{texts.roles.hint}</p>
      </Alert>
    </Page>
  );
}
