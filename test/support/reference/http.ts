import { type Access } from "@partline/api-contracts";
import { ENTRY_POINTS, type ServiceContract } from "../../../broker/contract/define.ts";
import { toPortSetting } from "../../../broker/settings/addresses.ts";
import { contracts } from "../../../services/all-contracts.ts";
import { pageOf, table } from "./page.ts";
import { withDefaults } from "./settings.ts";

/** Who may call a route, as the page has it. */
const CALLERS: Record<Access, string> = {
  none: "everybody",
  optional: "by owner",
  user: "user",
  admin: "admin",
  "admin-token": "admin",
  internal: "internal",
};
const CREDENTIALS = { bearer: "user", adminToken: "admin", sessionId: "guest" } as const;

/** The services whose routes answer with the envelope, except for files and exports. */
const ENVELOPED = (contracts as readonly ServiceContract[])
  .filter(({ actions }) => Object.values(actions).some(({ http = [] }) => http.some(({ envelope }) => envelope)))
  .map(({ name }) => `\`${name}\``)
  .join(", ");

const INTRODUCTION = `Every entry point serves \`/docs\` and \`/openapi.json\` (OpenAPI 3.1), which have parameters, bodies, answers and examples; also \`/health\`, \`/health/ready\`, \`/health/live\` and \`/metrics\` (Prometheus text). This page lists the routes.

The routes of ${ENVELOPED} answer \`{ "success": true, "data": … }\`; all others, and files and exports, answer the plain document. [Errors](errors.md) lists the forms of errors. Every response has \`X-Request-Id\`; a request may bring its own.

In a JSON body, null counts as absent wherever a field is optional, unless the field may be null. A GET ignores query parameters that it does not document, and empty optional ones; with the header \`Prefer: handling=strict\` (RFC 7240) it refuses them, which finds a misspelt filter. All other methods refuse them. [Beside the specifications](specification.md) lists where the product reads the specifications in its own way.

Callers: \`user\` is a signed-in person, \`guest\` a session id, \`admin\` and \`internal\` staff or a key with the route's scope ([internal addresses](../guides/authentication.md#internal-addresses)). At \`by owner\` the service decides by whose data it is; a credential that is sent must be valid. A key with a route's scope is taken at \`user\` too. [Who may do what](access.md) has each route by role and key.`;

export function httpPage(): string {
  const { ports } = withDefaults().unset;
  const all: readonly ServiceContract[] = contracts;
  const servedBy = (entry: string): string[] =>
    all.flatMap(({ name, actions }) =>
      Object.values(actions).some(({ http = [] }) => http.some(({ entries }) => entries.some((one) => one === entry)))
        ? [name]
        : [],
    );
  const routesOf = ({ actions }: ServiceContract): string[][] =>
    Object.values(actions).flatMap(({ summary, http = [] }) =>
      http.map(({ method, path, entries, access, credentials }) => [
        `${method} \`${path}\``,
        summary,
        credentials?.map((one) => CREDENTIALS[one]).join(", ") ?? CALLERS[access],
        entries.map((entry) => ports[entry]).join(", "),
      ]),
    );
  return pageOf(
    "HTTP",
    "the contracts of the services",
    INTRODUCTION,
    "## Entry points",
    table(
      ["port", "entry point", "setting", "services"],
      ENTRY_POINTS.map((entry) => [
        String(ports[entry]),
        entry,
        `\`${toPortSetting(entry)}\``,
        servedBy(entry).join(", "),
      ]),
    ),
    "The sandboxes of the payment provider, identity provider, suppliers (price files and dealer inventory), tire supplier, chat model and mailbox listen on ports 4000 to 4005, those of EasyPost and SMTP on 4007 and 4008; `/` of each but SMTP describes it. `shop` and `console` serve [pages](../guides/front-ends.md) and, under the same origin, the routes that their pages call.",
    ...all.flatMap((contract) => {
      const routes = routesOf(contract);
      return routes.length === 0
        ? []
        : [`## ${contract.name}`, `${contract.summary}.`, table(["route", "what it does", "callers", "ports"], routes)];
    }),
  );
}
