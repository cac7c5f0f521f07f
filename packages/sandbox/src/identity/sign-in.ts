import { hash, randomBytes } from "node:crypto";
import { isLoopbackHost } from "@partline/toolkit";
import { html, createHtmlReply, renderPlainPage } from "../server/html.ts";
import { createJsonReply, Refusal, type Routes } from "../server/http-server.ts";
import type { KeyRing } from "./keys.ts";
import { type ClerkUser, type TokenWishes, type UserDirectory, getPrimaryEmail, getRole } from "./users.ts";

function createRefusal(error: string, error_description: string): Refusal {
  return new Refusal(400, { error, error_description });
}

/** Request of a client, until its code is used. */
interface Grant {
  clientId: string;
  redirectUri: string;
  challenge: string;
  nonce: string | undefined;
  userId: string;
  endsAt: number;
}

export type IdentityDeps = {
  keys: KeyRing;
  users: UserDirectory;
  issuer: () => string;
  issueToken: (user: ClerkUser, wishes: TokenWishes) => Promise<string>;
  /** Called after a change: there may be webhooks to send. */
  wake: () => void;
};

const CODE_MS = 60_000;
const SESSION_SECONDS = 12 * 3_600;

/** OpenID Connect's authorization code with PKCE, for any client of this machine: its page offers all users. */
export function signInRoutes({ keys, users, issuer, issueToken, wake }: IdentityDeps): Routes {
  const grants = new Map<string, Grant>();
  return {
    "GET /.well-known/openid-configuration": () =>
      createJsonReply(200, {
        issuer: issuer(),
        authorization_endpoint: `${issuer()}/oauth/authorize`,
        token_endpoint: `${issuer()}/oauth/token`,
        jwks_uri: `${issuer()}/.well-known/jwks.json`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["ES256"],
        code_challenge_methods_supported: ["S256"],
      }),
    "GET /oauth/authorize": ({ query }) => {
      const { redirectUri } = requestIn(query);
      const renderChoice = (user: ClerkUser) => html`<form method="post">
<input type="hidden" name="user" value="${user.id}">
${[...query].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<p><button>${getPrimaryEmail(user) ?? user.id}</button> ${getRole(user)}</p>
</form>
`;
      return createHtmlReply(
        200,
        renderPlainPage(
          "Sign in",
          html`<p>The identity sandbox asks for no password. Who signs in at <code>${new URL(redirectUri).origin}</code>?</p>
${users.list().map(renderChoice)}`,
        ),
      );
    },
    "POST /oauth/authorize": async (exchange) => {
      const form = await exchange.form();
      const { redirectUri, ...authorization } = requestIn(form);
      const user = users.find(form.get("user") ?? "");
      if (!user) throw createRefusal("invalid_request", "There is no such user");
      for (const [code, { endsAt }] of grants) if (endsAt < Date.now()) grants.delete(code);
      users.signedIn(user);
      wake();
      const code = randomBytes(24).toString("base64url");
      grants.set(code, { ...authorization, redirectUri, userId: user.id, endsAt: Date.now() + CODE_MS });
      const location = new URL(redirectUri);
      location.searchParams.set("code", code);
      location.searchParams.set("state", form.get("state") ?? "");
      return { status: 303, headers: { location: location.href }, body: "" };
    },
    "POST /oauth/token": async (exchange) => {
      const form = await exchange.form();
      if (form.get("grant_type") !== "authorization_code")
        throw createRefusal("unsupported_grant_type", "The grant_type is authorization_code");
      const code = form.get("code") ?? "";
      const grant = grants.get(code);
      grants.delete(code);
      const challenge = hash("sha256", form.get("code_verifier") ?? "", "base64url");
      const isGood =
        grant &&
        grant.endsAt >= Date.now() &&
        grant.redirectUri === form.get("redirect_uri") &&
        grant.challenge === challenge;
      const user = isGood && users.find(grant.userId);
      if (!user) throw createRefusal("invalid_grant", "The code is unknown, spent, too old or another client's");
      const now = Math.floor(Date.now() / 1_000);
      return createJsonReply(200, {
        access_token: await issueToken(user, { expiresInSeconds: SESSION_SECONDS }),
        token_type: "Bearer",
        expires_in: SESSION_SECONDS,
        id_token: await keys.sign({
          iss: issuer(),
          sub: user.id,
          aud: grant.clientId,
          iat: now,
          exp: now + CODE_MS / 1_000,
          email: getPrimaryEmail(user),
          nonce: grant.nonce,
        }),
      });
    },
  };
}

function requestIn(params: URLSearchParams): Pick<Grant, "clientId" | "redirectUri" | "challenge" | "nonce"> {
  const readText = (name: string): string => {
    const value = params.get(name);
    if (!value) throw createRefusal("invalid_request", `${name} is missing`);
    return value;
  };
  const redirectUri = readText("redirect_uri");
  if (!URL.canParse(redirectUri) || !isLoopbackHost(new URL(redirectUri).host))
    throw createRefusal("invalid_request", "redirect_uri is not on this machine");
  if (readText("response_type") !== "code")
    throw createRefusal("unsupported_response_type", "The response_type is code");
  if (readText("code_challenge_method") !== "S256")
    throw createRefusal("invalid_request", "The code_challenge_method is S256");
  return {
    clientId: readText("client_id"),
    redirectUri,
    challenge: readText("code_challenge"),
    nonce: params.get("nonce") ?? undefined,
  };
}
