import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from "jose";

/** A signing key of the test's own, real and fresh. */
export interface SigningKey {
  kid: string;
  publicJwk: JWK;
  sign(claims: JWTPayload, header?: Record<string, unknown>): Promise<string>;
}

export async function newSigningKey(kid: string, alg: "ES256" | "RS256" | "ES384" = "ES256"): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return {
    kid,
    publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" },
    sign: (claims, header) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid, typ: "JWT", ...header }).sign(privateKey),
  };
}

export interface JwksServer {
  url: string;
  /** How often it was asked. */
  requests: number;
  keys: SigningKey[];
  /** What it does: answer, answer 500, answer something that is no JWKS, or never answer. */
  mood: "answer" | "fail" | "nonsense" | "hang";
  close(): Promise<void>;
}

export async function startJwksServer(...keys: SigningKey[]): Promise<JwksServer> {
  const http = createServer((_request, response) => {
    server.requests += 1;
    if (server.mood === "hang") return;
    if (server.mood === "fail") response.writeHead(500).end();
    else if (server.mood === "nonsense") response.end("<p>maintenance</p>");
    else
      response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify({ keys: server.keys.map(({ publicJwk }) => publicJwk) }));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const server: JwksServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/jwks.json`,
    requests: 0,
    keys,
    mood: "answer",
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return server;
}
