import { Webhook } from "standardwebhooks";
import { openDatabase } from "../server/database.ts";
import { type Address, startHttpServer } from "../server/http-server.ts";
import { createWebhooks } from "../server/webhooks.ts";
import {
  BUILT_IN_USERS,
  SCHEMA,
  type ClerkUser,
  type TokenWishes,
  openUserDirectory,
  createTokenClaims,
} from "./users.ts";
import { openKeyRing } from "./keys.ts";
import { createIdentityRoutes, PAGE_TOKEN_SECONDS } from "./routes.ts";

type IdentitySandboxOptions = Address & {
  /** Folder of the state; in memory without it. */
  dataDir?: string;
  /** Svix's form: `whsec_` and base64. */
  webhookSecret: string;
  /** Each gets every event, under the same svix-id. */
  webhookUrls: readonly string[];
  /** Claim `iss` of every token; the sandbox's own address unless given. */
  issuer?: string;
  /** Claims `aud` and `azp` of every token. */
  audience: string;
  authorizedParty: string;
};

export type IdentitySandbox = Awaited<ReturnType<typeof startIdentitySandbox>>;

const RETRY_DELAYS_MS = [200, 500, 1_000, 5_000, 15_000, 60_000];

/** A stand-in for an identity provider of Clerk's kind: JWKS, tokens, users, and webhooks signed as Svix signs them. */
export async function startIdentitySandbox(options: IdentitySandboxOptions) {
  const { audience, authorizedParty } = options;
  const webhook = new Webhook(options.webhookSecret);
  const database = openDatabase(options.dataDir, "identity-sandbox", SCHEMA);
  const keys = await openKeyRing(database);
  const webhooks = createWebhooks(database, {
    urls: options.webhookUrls,
    retryDelaysMs: RETRY_DELAYS_MS,
    sign: (event) => {
      const body = users.eventBody(event);
      if (body === undefined) return undefined;
      const now = new Date();
      const headers = {
        "content-type": "application/json",
        "user-agent": "Svix-Webhooks/sandbox",
        "svix-id": event,
        "svix-timestamp": String(Math.floor(now.getTime() / 1000)),
        "svix-signature": webhook.sign(event, now, body),
      };
      return { headers, body };
    },
  });
  const users = openUserDirectory(database, webhooks);
  let url = "";
  const getIssuer = (): string => options.issuer ?? url;
  const issueToken = (user: ClerkUser, wishes: TokenWishes): Promise<string> =>
    keys.sign(createTokenClaims(user, { issuer: getIssuer(), audience, authorizedParty }, wishes, Date.now()));
  const server = await startHttpServer({
    host: options.host,
    port: options.port,
    routes: createIdentityRoutes({ keys, users, issuer: getIssuer, issueToken, wake: webhooks.wake }),
  });
  url = server.url;
  webhooks.wake();

  const signBuiltInToken = (name: keyof typeof BUILT_IN_USERS): Promise<string> => {
    const user = users.find(BUILT_IN_USERS[name].id)!;
    return issueToken(user, { expiresInSeconds: PAGE_TOKEN_SECONDS });
  };
  return {
    url,
    port: server.port,
    /** Tokens of the built-in users, good for twelve hours. */
    tokens: async () => ({
      admin: await signBuiltInToken("admin"),
      customer: await signBuiltInToken("customer"),
      customerId: BUILT_IN_USERS.customer.id,
    }),
    close: async () => {
      await server.close();
      await webhooks.close();
      database.close();
    },
  };
}
