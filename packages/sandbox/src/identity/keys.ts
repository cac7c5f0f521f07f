import type { DatabaseSync } from "node:sqlite";
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  SignJWT,
} from "jose";

const ALGORITHM = "ES256";

export type KeyRing = Awaited<ReturnType<typeof openKeyRing>>;

/** The newest key signs; older ones stay in the JWKS until they are retired. */
export async function openKeyRing(database: DatabaseSync) {
  const select = database.prepare("SELECT kid, private_jwk FROM signing_keys ORDER BY seq DESC");
  const insert = database.prepare("INSERT INTO signing_keys (kid, private_jwk) VALUES (?, ?)");
  const removeOld = database.prepare("DELETE FROM signing_keys WHERE kid <> ?");

  const listKeys = (): { kid: string; jwk: JWK }[] =>
    select.all().map((row) => ({ kid: String(row["kid"]), jwk: JSON.parse(String(row["private_jwk"])) as JWK }));

  async function rotate(): Promise<string> {
    const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    const jwk = await exportJWK(privateKey);
    const kid = await calculateJwkThumbprint(jwk);
    insert.run(kid, JSON.stringify(jwk));
    return kid;
  }

  if (listKeys().length === 0) await rotate();

  return {
    rotate,
    /** Removes every key but the newest, and returns its `kid`. */
    retire(): string {
      const { kid } = listKeys()[0]!;
      removeOld.run(kid);
      return kid;
    },
    jwks: () => ({
      keys: listKeys().map(({ kid, jwk: { kty, crv, x, y } }) => ({ kty, crv, x, y, kid, use: "sig", alg: ALGORITHM })),
    }),
    async sign(claims: JWTPayload): Promise<string> {
      const { kid, jwk } = listKeys()[0]!;
      return new SignJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM, kid, typ: "JWT" })
        .sign(await importJWK(jwk, ALGORITHM));
    },
  };
}
