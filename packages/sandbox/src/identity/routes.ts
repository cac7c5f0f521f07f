import { isLocal } from "../server/control-body.ts";
import { type Html, html, htmlReply, plainPage } from "../server/html.ts";
import { type Exchange, type Handler, Refusal, type Routes, jsonReply } from "../server/http-server.ts";
import {
  BUILT_IN_USERS,
  type ClerkUser,
  type TokenWishes,
  type UserFields,
  newUser,
  primaryEmail,
  roleOf,
} from "./users.ts";
import { type IdentityDeps, signInRoutes } from "./sign-in.ts";

function refusal(status: number, code: string, message: string): Refusal {
  return new Refusal(status, { errors: [{ code, message, long_message: message }] });
}

/** The only token template; its claims are what a shop's API reads. */
const TEMPLATE = "api";
export const PAGE_TOKEN_SECONDS = 12 * 3_600;

/** Every client may read the public keys. The other routes give out admins' tokens: they are for this machine. */
export function identityRoutes(deps: IdentityDeps): Routes {
  const { keys, users, issueToken, wake } = deps;
  const existing = (user: ClerkUser | undefined): ClerkUser => {
    if (!user) throw refusal(404, "resource_not_found", "There is no such user");
    return user;
  };
  const changed = (answer: object) => {
    wake();
    return jsonReply(200, answer);
  };
  const routes: Routes = {
    ...signInRoutes(deps),
    "GET /": async ({ url }) => {
      const tokens = users
        .list()
        .map(async (user) => ({ user, token: await issueToken(user, { expiresInSeconds: PAGE_TOKEN_SECONDS }) }));
      return htmlReply(200, indexPage(await Promise.all(tokens), url));
    },
    "POST /v1/tokens": async (exchange) => {
      const { user: name, template = TEMPLATE, ...wishes } = await readFields<TokenRequest>(exchange, TOKEN_FIELDS);
      if (name === undefined) throw refusal(422, "form_param_missing", "user is missing");
      if (template !== TEMPLATE) throw refusal(404, "resource_not_found", `There is no token template but ${TEMPLATE}`);
      const id = name === "admin" || name === "customer" ? BUILT_IN_USERS[name].id : name;
      // An unknown id is a customer who signed up a moment ago and whose webhook has not come.
      const user = users.find(id) ?? newUser({}, Date.now(), id);
      return jsonReply(200, { object: "token", userId: user.id, token: await issueToken(user, wishes) });
    },
    "POST /v1/keys/rotate": async () => jsonReply(200, { kid: await keys.rotate() }),
    "POST /v1/keys/retire": () => jsonReply(200, { kid: keys.retire() }),
    "GET /v1/users": () => jsonReply(200, users.list()),
    "POST /v1/users": async (exchange) => changed(users.create(await readFields(exchange, USER_FIELDS))),
    "GET /v1/users/:id": ({ params }) => jsonReply(200, existing(users.find(params["id"]!))),
    "PATCH /v1/users/:id": async (exchange) => {
      const fields = await readFields<UserFields>(exchange, USER_FIELDS);
      return changed(existing(users.update(exchange.params["id"]!, fields)));
    },
    "DELETE /v1/users/:id": ({ params }) => {
      const { id } = existing(users.find(params["id"]!));
      if (Object.values(BUILT_IN_USERS).some((user) => user.id === id))
        throw refusal(403, "not_allowed", "The built-in users stay; add one to delete it");
      users.remove(id);
      return changed({ id, object: "user", deleted: true });
    },
  };
  const guarded = Object.entries(routes).map(([route, handler]) => [route, forThisMachine(handler)] as const);
  return {
    "GET /.well-known/jwks.json": () => jsonReply(200, keys.jwks()),
    ...Object.fromEntries(guarded),
  };
}

function forThisMachine(handler: Handler): Handler {
  return (exchange) => {
    if (!isLocal(exchange)) throw refusal(403, "not_allowed", "The sandbox answers this machine alone");
    return handler(exchange);
  };
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string" && value.length > 0 && value.length <= 200;
const isObject: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isName: Check = (value) => value === null || isText(value);
const isEmail: Check = (value) => isText(value) && /^[^@\s]+@[^@\s]+$/.test(value as string);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length <= 10 && value.every(check);

const USER_FIELDS: Record<keyof UserFields, Check> = {
  email_address: listOf(isEmail),
  phone_number: listOf(isText),
  first_name: isName,
  last_name: isName,
  public_metadata: isObject,
};

type TokenRequest = TokenWishes & { user?: string; template?: string };

const TOKEN_FIELDS: Record<keyof TokenRequest, Check> = {
  user: isText,
  template: isText,
  expiresInSeconds: (value) => Number.isInteger(value) && Math.abs(value as number) <= 31_536_000,
  claims: isObject,
};

async function readFields<T extends object>(exchange: Exchange, fields: Record<keyof T, Check>): Promise<T> {
  const body = await exchange.object();
  if (!body) throw refusal(400, "request_body_invalid", "The body is not a JSON object");
  for (const [name, value] of Object.entries(body)) {
    if (!Object.hasOwn(fields, name)) throw refusal(422, "form_param_unknown", `${name} is not a parameter`);
    if (!fields[name as keyof T](value)) throw refusal(422, "form_param_invalid", `${name} is not valid`);
  }
  return body as T;
}

function indexPage(users: { user: ClerkUser; token: string }[], url: string): Html {
  const entry = ({ user, token }: (typeof users)[number]): Html =>
    html`<h2>${primaryEmail(user) ?? user.id} (${roleOf(user)})</h2>
<label><code>${user.id}</code><textarea rows="5" readonly>${token}</textarea></label>
`;
  return plainPage(
    "Identity sandbox",
    html`<p>A stand-in for an identity provider. Its tokens open this machine's shop and nothing else. Keys:
<a href="/.well-known/jwks.json">JWKS</a>. Each token below is good for twelve hours; send it as
<code>Authorization: Bearer …</code>.</p>
${users.map(entry)}
<h2>More</h2>
<p>Add a user: <code>curl -X POST ${url}/v1/users -d '{"email_address":["ada@shop.example"],"first_name":"Ada"}'</code></p>
<p>Get a token: <code>curl -X POST ${url}/v1/tokens -d '{"user":"customer","expiresInSeconds":600}'</code></p>
<p>New signing key: <code>curl -X POST ${url}/v1/keys/rotate</code>, then <code>curl -X POST ${url}/v1/keys/retire</code></p>`,
  );
}
