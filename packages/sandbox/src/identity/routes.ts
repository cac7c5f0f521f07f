import { isLocal } from "../server/control-body.ts";
import { type Html, html, createHtmlReply, renderPlainPage } from "../server/html.ts";
import { type Exchange, type Handler, Refusal, type Routes, createJsonReply } from "../server/http-server.ts";
import {
  BUILT_IN_USERS,
  type ClerkUser,
  type TokenWishes,
  type UserFields,
  createUser,
  getPrimaryEmail,
  getRole,
} from "./users.ts";
import { type IdentityDeps, signInRoutes } from "./sign-in.ts";

function createRefusal(status: number, code: string, message: string): Refusal {
  return new Refusal(status, { errors: [{ code, message, long_message: message }] });
}

/** The only token template; its claims are what a shop's API reads. */
const TEMPLATE = "api";
export const PAGE_TOKEN_SECONDS = 12 * 3_600;

/** Every client may read the public keys. The other routes give out admins' tokens: they are for this machine. */
export function createIdentityRoutes(deps: IdentityDeps): Routes {
  const { keys, users, issueToken, wake } = deps;
  const assertExists = (user: ClerkUser | undefined): ClerkUser => {
    if (!user) throw createRefusal(404, "resource_not_found", "There is no such user");
    return user;
  };
  const answerChange = (answer: object) => {
    wake();
    return createJsonReply(200, answer);
  };
  const routes: Routes = {
    ...signInRoutes(deps),
    "GET /": async ({ url }) => {
      const tokens = users
        .list()
        .map(async (user) => ({ user, token: await issueToken(user, { expiresInSeconds: PAGE_TOKEN_SECONDS }) }));
      return createHtmlReply(200, indexPage(await Promise.all(tokens), url));
    },
    "POST /v1/tokens": async (exchange) => {
      const { user: name, template = TEMPLATE, ...wishes } = await readFields<TokenRequest>(exchange, TOKEN_FIELDS);
      if (name === undefined) throw createRefusal(422, "form_param_missing", "user is missing");
      if (template !== TEMPLATE)
        throw createRefusal(404, "resource_not_found", `There is no token template but ${TEMPLATE}`);
      const id = name === "admin" || name === "customer" ? BUILT_IN_USERS[name].id : name;
      // An unknown id is a customer who signed up a moment ago and whose webhook has not come.
      const user = users.find(id) ?? createUser({}, Date.now(), id);
      return createJsonReply(200, { object: "token", userId: user.id, token: await issueToken(user, wishes) });
    },
    "POST /v1/keys/rotate": async () => createJsonReply(200, { kid: await keys.rotate() }),
    "POST /v1/keys/retire": () => createJsonReply(200, { kid: keys.retire() }),
    "GET /v1/users": () => createJsonReply(200, users.list()),
    "POST /v1/users": async (exchange) => answerChange(users.create(await readFields(exchange, USER_FIELDS))),
    "GET /v1/users/:id": ({ params }) => createJsonReply(200, assertExists(users.find(params["id"]!))),
    "PATCH /v1/users/:id": async (exchange) => {
      const fields = await readFields<UserFields>(exchange, USER_FIELDS);
      return answerChange(assertExists(users.update(exchange.params["id"]!, fields)));
    },
    "DELETE /v1/users/:id": ({ params }) => {
      const { id } = assertExists(users.find(params["id"]!));
      if (Object.values(BUILT_IN_USERS).some((user) => user.id === id))
        throw createRefusal(403, "not_allowed", "The built-in users stay; add one to delete it");
      users.remove(id);
      return answerChange({ id, object: "user", deleted: true });
    },
  };
  const guarded = Object.entries(routes).map(([route, handler]) => [route, guardLoopback(handler)] as const);
  return {
    "GET /.well-known/jwks.json": () => createJsonReply(200, keys.jwks()),
    ...Object.fromEntries(guarded),
  };
}

function guardLoopback(handler: Handler): Handler {
  return (exchange) => {
    if (!isLocal(exchange)) throw createRefusal(403, "not_allowed", "The sandbox answers this machine alone");
    return handler(exchange);
  };
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string" && value.length > 0 && value.length <= 200;
const isObject: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isName: Check = (value) => value === null || isText(value);
const isEmail: Check = (value) => isText(value) && /^[^@\s]+@[^@\s]+$/.test(value as string);
const createListReader =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length <= 10 && value.every(check);

const USER_FIELDS: Record<keyof UserFields, Check> = {
  email_address: createListReader(isEmail),
  phone_number: createListReader(isText),
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
  if (!body) throw createRefusal(400, "request_body_invalid", "The body is not a JSON object");
  for (const [name, value] of Object.entries(body)) {
    if (!Object.hasOwn(fields, name)) throw createRefusal(422, "form_param_unknown", `${name} is not a parameter`);
    if (!fields[name as keyof T](value)) throw createRefusal(422, "form_param_invalid", `${name} is not valid`);
  }
  return body as T;
}

function indexPage(users: { user: ClerkUser; token: string }[], url: string): Html {
  const renderEntry = ({ user, token }: (typeof users)[number]): Html =>
    html`<h2>${getPrimaryEmail(user) ?? user.id} (${getRole(user)})</h2>
<label><code>${user.id}</code><textarea rows="5" readonly>${token}</textarea></label>
`;
  return renderPlainPage(
    "Identity sandbox",
    html`<p>A stand-in for an identity provider. Its tokens open this machine's shop and nothing else. Keys:
<a href="/.well-known/jwks.json">JWKS</a>. Each token below is good for twelve hours; send it as
<code>Authorization: Bearer …</code>.</p>
${users.map(renderEntry)}
<h2>More</h2>
<p>Add a user: <code>curl -X POST ${url}/v1/users -d '{"email_address":["ada@shop.example"],"first_name":"Ada"}'</code></p>
<p>Get a token: <code>curl -X POST ${url}/v1/tokens -d '{"user":"customer","expiresInSeconds":600}'</code></p>
<p>New signing key: <code>curl -X POST ${url}/v1/keys/rotate</code>, then <code>curl -X POST ${url}/v1/keys/retire</code></p>`,
  );
}
