import type { HttpRoute, ServiceContract } from "../../../broker/contract/define.ts";
import { ROLES, SCOPE_NAMES, SCOPES, hasScope, type Role } from "../../../broker/contract/scopes.ts";
import { contracts } from "../../../services/all-contracts.ts";
import { pageOf, table } from "./page.ts";

/** The columns of the matrix, by who asks. */
export const ASKING = ["nobody", ...ROLES.toReversed(), "ADMIN_TOKEN", "key with the scope", "other key"] as const;

const INTRODUCTION =
  "`all`: anybody's; `own`: what is their own, or open to everybody; `no`: refused (401 or 403); `here`: as `no`, except " +
  "for programs of the same machine at the entry point's own address, if `HOST` is loopback and it is not production " +
  "([internal addresses](../guides/authentication.md#internal-addresses)). A test tries every route with every role and " +
  "key, from here and from elsewhere.";

const has = (role: Role, { scope }: HttpRoute): boolean => hasScope({ user: { role }, admin: false }, scope);

function cellOf(who: (typeof ASKING)[number], route: HttpRoute): string {
  const { access, scope, credentials, refusesKeys } = route;
  if (access === "none") return "own";
  const refused = access === "internal" ? "here" : "no";
  const staffAlone = access !== "optional" && access !== "user";
  if (who === "nobody") return access === "optional" && !credentials ? "own" : refused;
  if (who === "ADMIN_TOKEN") {
    if (credentials && !credentials.includes("adminToken")) return "no";
    return access === "user" ? "no" : "all";
  }
  if (who === "key with the scope" && refusesKeys) return "no";
  if (who === "key with the scope") return scope ? "all" : access === "optional" ? "own" : "no";
  if (who === "other key") return access === "optional" && !scope ? "own" : refused;
  if (has(who, route)) return "all";
  return staffAlone ? refused : "own";
}

/** Every route, with who may call it. */
export function accessMatrix(): { method: string; path: string; route: HttpRoute; cells: string[] }[] {
  return (contracts as readonly ServiceContract[]).flatMap(({ actions }) =>
    Object.values(actions).flatMap(({ http = [] }) =>
      http.map((route) => ({
        method: route.method,
        path: route.path,
        route,
        cells: ASKING.map((who) => cellOf(who, route)),
      })),
    ),
  );
}

export function accessPage(): string {
  return pageOf(
    "Who may do what",
    "the contracts of the services",
    INTRODUCTION,
    "## Scopes",
    table(
      ["scope", "what it opens", "roles"],
      SCOPE_NAMES.map((scope) => [
        `\`${scope}\``,
        SCOPES[scope],
        ROLES.filter((role) => has(role, { scope } as HttpRoute)).join(", "),
      ]),
    ),
    "## Routes",
    table(
      ["route", "scope", ...ASKING],
      accessMatrix().map(({ method, path, route, cells }) => [
        `${method} \`${path}\``,
        route.scope ? `\`${route.scope}\`` : "",
        ...cells,
      ]),
    ),
  );
}
