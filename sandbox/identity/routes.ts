import { htmlReply } from "../server/html.ts";
import type { Handler } from "../server/http-server.ts";
import { jsonReply } from "../server/reply.ts";
import type { Routes } from "../server/router.ts";
import type { UserDirectory } from "./directory.ts";
import type { KeyRing } from "./keys.ts";
import { indexPage } from "./page.ts";
import { ApiRefusal, tokenRequest, userFields } from "./requests.ts";
import { TEMPLATE, type TokenWishes } from "./tokens.ts";
import { BUILT_IN_USERS, newUser, type ClerkUser } from "./users.ts";

export type RouteDeps = {
  keys: KeyRing;
  users: UserDirectory;
  url: () => string;
  issueToken: (user: ClerkUser, wishes: TokenWishes) => Promise<string>;
  /** Called after a change: there may be webhooks to send. */
  wake: () => void;
};

const PAGE_TOKEN_SECONDS = 12 * 3_600;

export function identityRoutes({ keys, users, url, issueToken, wake }: RouteDeps): Routes {
  const existing = (user: ClerkUser | undefined): ClerkUser => {
    if (!user) throw new ApiRefusal(404, "resource_not_found", "There is no such user");
    return user;
  };
  const routes: Routes = {
    "GET /": async () => {
      const tokens = users
        .list()
        .map(async (user) => ({ user, token: await issueToken(user, { expiresInSeconds: PAGE_TOKEN_SECONDS }) }));
      return htmlReply(200, indexPage({ users: await Promise.all(tokens), url: url() }));
    },
    "POST /v1/tokens": async (exchange) => {
      const { user: name, template = TEMPLATE, ...wishes } = await tokenRequest(exchange);
      if (template !== TEMPLATE)
        throw new ApiRefusal(404, "resource_not_found", `There is no token template but ${TEMPLATE}`);
      const id = name === "admin" || name === "customer" ? BUILT_IN_USERS[name].id : name;
      // An id that is not in the directory is as good as one whose user signed up a moment ago: a customer without a
      // webhook.
      const user = users.find(id) ?? newUser({}, Date.now(), id);
      return jsonReply(200, { object: "token", userId: user.id, token: await issueToken(user, wishes) });
    },
    "POST /v1/keys/rotate": async () => jsonReply(200, { kid: await keys.rotate() }),
    "POST /v1/keys/retire": () => jsonReply(200, { kid: keys.retire() }),
    "GET /v1/users": () => jsonReply(200, users.list()),
    "POST /v1/users": async (exchange) => {
      const user = users.create(await userFields(exchange));
      wake();
      return jsonReply(200, user);
    },
    "GET /v1/users/:id": ({ params }) => jsonReply(200, existing(users.find(params["id"]!))),
    "PATCH /v1/users/:id": async (exchange) => {
      const user = existing(users.update(exchange.params["id"]!, await userFields(exchange)));
      wake();
      return jsonReply(200, user);
    },
    "DELETE /v1/users/:id": ({ params }) => {
      const id = existing(users.find(params["id"]!)).id;
      if (Object.values(BUILT_IN_USERS).some((user) => user.id === id)) {
        throw new ApiRefusal(403, "not_allowed", "The built-in users stay; add one to delete it");
      }
      users.remove(id);
      wake();
      return jsonReply(200, { id, object: "user", deleted: true });
    },
  };
  const guarded = Object.entries(routes).map(([route, handler]) => [route, forThisMachine(handler)] as const);
  return { "GET /.well-known/jwks.json": () => jsonReply(200, keys.jwks()), ...Object.fromEntries(guarded) };
}

const LOOPBACK_ADDRESS = /^(::ffff:)?127\.|^::1$/;

/** Everybody may read the public keys; whoever may ask for tokens is an admin, so the rest is for this machine. */
function forThisMachine(handler: Handler): Handler {
  return async (exchange) => {
    try {
      if (!LOOPBACK_ADDRESS.test(exchange.remoteAddress))
        throw new ApiRefusal(403, "not_allowed", "The sandbox answers this machine alone");
      return await handler(exchange);
    } catch (error) {
      if (error instanceof ApiRefusal) return error.reply;
      throw error;
    }
  };
}
