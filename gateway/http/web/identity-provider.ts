import * as oauth from "oauth4webapi";
import type { Settings } from "../../../broker/settings.ts";
import { loadOnce } from "@partline/toolkit";

/** Remembered until the provider sends the browser back. */
export interface SignInAttempt {
  state: string;
  nonce: string;
  verifier: string;
}

export type IdentityProvider = ReturnType<typeof createIdentityProvider>;

const SCOPE = "openid email";
// eslint-disable-next-line @typescript-eslint/no-deprecated -- for the sandbox, which is on this machine
const INSECURE = oauth.allowInsecureRequests;
const TIMEOUT_MS = 5_000;

/** OpenID Connect by redirect: an authorization code, bound to this browser by state, nonce and PKCE. */
export function createIdentityProvider(
  { issuer, clientId, clientSecret }: NonNullable<Settings["identity"]["signIn"]>,
  redirectUri: string,
) {
  const client: oauth.Client = { client_id: clientId };
  const authentication = clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(clientSecret);
  const createOptions = (): { signal: AbortSignal; [INSECURE]: boolean } => ({
    signal: AbortSignal.timeout(TIMEOUT_MS),
    [INSECURE]: issuer.startsWith("http:"),
  });
  const server = loadOnce(async () =>
    oauth.processDiscoveryResponse(new URL(issuer), await oauth.discoveryRequest(new URL(issuer), createOptions())),
  );

  return {
    /** Begins a sign-in: where to send the browser, and what to remember. @throws if the provider does not answer */
    async begin(): Promise<{ url: URL; attempt: SignInAttempt }> {
      const { authorization_endpoint: endpoint } = await server();
      const attempt = {
        state: oauth.generateRandomState(),
        nonce: oauth.generateRandomNonce(),
        verifier: oauth.generateRandomCodeVerifier(),
      };
      const url = new URL(endpoint!);
      const params = {
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: "code",
        scope: SCOPE,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: "S256",
      };
      for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
      return { url, attempt };
    },
    /** Ends it with the query of the way back. Returns the user's token. @throws if the provider refuses */
    async end(query: URLSearchParams, { state, nonce, verifier }: SignInAttempt): Promise<string> {
      const from = await server();
      const params = oauth.validateAuthResponse(from, client, query, state);
      const response = await oauth.authorizationCodeGrantRequest(
        from,
        client,
        authentication,
        params,
        redirectUri,
        verifier,
        createOptions(),
      );
      const { access_token: token } = await oauth.processAuthorizationCodeResponse(from, client, response, {
        expectedNonce: nonce,
        requireIdToken: true,
      });
      return token;
    },
  };
}
