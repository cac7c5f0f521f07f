import { randomBytes } from "node:crypto";
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from "jose";
import type { CollectionDefinition, Document, DocumentStore } from "@partline/durable";

/** A key of one quarter of a year, by its name (`2026Q4`); shared by all nodes through the store. */
interface SigningKey extends Document {
  secret: string;
  purgeAt: Date;
}

const SIGNING_KEYS: CollectionDefinition = {
  name: "signing_keys",
  fields: { purgeAt: "date" },
  expires: "purgeAt",
};

/** Purpose of the tokens in links of mails, with the claim `orderId`. */
export const ORDER_LINK = "order-link";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Longest life of a token, days. */
export const LONGEST_LIFE_DAYS = 90;
/** A quarter of a year, the longest life of its last token, and a margin. */
const KEY_KEPT_MS = (92 + LONGEST_LIFE_DAYS + 10) * DAY_MS;

/** Names the quarter of a year that a time is in: `2026Q4`. Keys that are renewed with it have its name. */
export function getQuarter(time: Date): string {
  return `${time.getUTCFullYear()}Q${Math.floor(time.getUTCMonth() / 3) + 1}`;
}

export type SignedTokens = ReturnType<typeof createSignedTokens>;

/**
 * Signs and verifies what the server gives out and takes back: JWTs (HS256) for one purpose each. A new key is made
 * with each quarter of a year; tokens of earlier ones stay valid until their own end.
 */
export function createSignedTokens(documents: DocumentStore, now: () => Date = () => new Date()) {
  const keys = documents.collection<SigningKey>(SIGNING_KEYS);
  const keysById = new Map<string, Uint8Array>();

  async function keyToSign(): Promise<{ kid: string; key: Uint8Array }> {
    const time = now();
    const kid = getQuarter(time);
    const newKey = { secret: randomBytes(32).toString("base64url"), purgeAt: new Date(time.getTime() + KEY_KEPT_MS) };
    const make = () => keys.findOneAndUpdate({ _id: kid }, { $setOnInsert: newKey }, { upsert: true });
    return { kid, key: (await keyNamed(kid)) ?? keep((await make())!) };
  }

  async function keyNamed(kid: string): Promise<Uint8Array | undefined> {
    const stored = keysById.has(kid) ? null : await keys.findOne({ _id: kid });
    return stored ? keep(stored) : keysById.get(kid);
  }

  function keep({ _id, secret }: SigningKey): Uint8Array {
    const key = Buffer.from(secret, "base64url");
    keysById.set(_id, key);
    return key;
  }

  return {
    /** Returns a token with these claims, valid for so many milliseconds and for this purpose alone. */
    async sign(purpose: string, claims: Record<string, unknown>, validMs: number): Promise<string> {
      const { kid, key } = await keyToSign();
      return new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256", kid })
        .setAudience(purpose)
        .setExpirationTime(new Date(now().getTime() + validMs))
        .sign(key);
    },

    /** Returns the claims of a token; `forged` also for another purpose's. */
    async verify(purpose: string, token: string): Promise<Record<string, unknown> | "forged" | "expired"> {
      try {
        // Its sender wrote the header: what is no text would be a query.
        const { kid } = decodeProtectedHeader(token) as { kid?: unknown };
        const key = typeof kid === "string" ? await keyNamed(kid) : undefined;
        if (!key) return "forged";
        const options = { audience: purpose, algorithms: ["HS256"], currentDate: now() };
        return (await jwtVerify(token, key, options)).payload;
      } catch (error) {
        if (error instanceof errors.JWTExpired) return "expired";
        if (error instanceof errors.JOSEError || error instanceof TypeError) return "forged";
        throw error;
      }
    },
  };
}
