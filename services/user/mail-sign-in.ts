import { hash, randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";
import type { Collection, CollectionDefinition, Document, DocumentStore } from "@partline/durable";
import { ulid } from "@partline/toolkit";
import type { App } from "../../broker/contract/define.ts";
import type { Settings } from "../../broker/settings.ts";
import { PartlineError } from "../../mixins/errors.ts";
import { getQuarter } from "../../mixins/http/signed-token.ts";
import { outbox } from "../contracts.ts";
import { applyIdentityEvent, changeUser, isTombstone } from "./users.ts";

/** A link that was sent. `_id` is the hash of its token, which is not kept. */
interface SignInLink extends Document {
  email: string;
  app: App;
  createdAt: Date;
  usedAt?: Date;
  purgeAt: Date;
}

export const SIGN_IN_LINKS: CollectionDefinition = {
  name: "sign_in_links",
  fields: { email: "string", createdAt: "date", usedAt: "date", purgeAt: "date" },
  indexes: [{ keys: { email: 1, createdAt: -1 } }],
  expires: "purgeAt",
};

/** Whose an address is. `_id` is the address in lower case. */
interface MailAccount extends Document {
  userId: string;
}

export const MAIL_ACCOUNTS: CollectionDefinition = { name: "mail_accounts" };

/** A key of one quarter of a year, by its name (`2026Q4`), which signs tokens; shared by all nodes through the store. */
interface TokenKey extends Document {
  privateKey: JWK;
  publicKey: JWK;
  purgeAt: Date;
}

export const TOKEN_KEYS: CollectionDefinition = {
  name: "token_keys",
  fields: { purgeAt: "date" },
  expires: "purgeAt",
};

const ALGORITHM = "ES256";
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How long a link is valid, minutes. */
const LINK_MINUTES = 15;
/** Most links that an address is sent in an hour: nobody's mailbox is flooded. */
const MOST_LINKS = 5;
const COUNTED_MS = 60 * MINUTE_MS;
/** A token cannot be called back: one of staff ends within a working day. */
const TOKEN_MS = { staff: 12 * 60 * MINUTE_MS, customer: 7 * DAY_MS };
/** A quarter of a year, the longest life of its last token, and a margin. */
const KEY_KEPT_MS = 110 * DAY_MS;

interface MailSignInDeps {
  documents: DocumentStore;
  settings: Pick<Settings, "identity" | "storeUrl" | "consoleUrl">;
  /** Resolves once the mail server has taken the mail. @throws SERVICE_UNAVAILABLE */
  sendLink(mail: { email: string; link: string; minutes: number }): Promise<unknown>;
  now?: () => Date;
}

/**
 * Signs people in by a link that is sent to their address, where the shop has no identity provider
 * (IDENTITY_MODE=mail). A link is valid for a quarter of an hour and opens one session.
 */
export function createMailSignIn({ documents, settings, sendLink, now = () => new Date() }: MailSignInDeps) {
  const { audience, issuer, staff } = settings.identity;
  const links = documents.collection<SignInLink>(SIGN_IN_LINKS);
  const accounts = documents.collection<MailAccount>(MAIL_ACCOUNTS);
  const keys = documents.collection<TokenKey>(TOKEN_KEYS);
  const origins: Record<App, string> = { shop: settings.storeUrl, console: settings.consoleUrl };

  async function getTokenKey(): Promise<TokenKey> {
    const time = now();
    const _id = getQuarter(time);
    const stored = await keys.findOne({ _id });
    if (stored) return stored;
    const pair = await generateKeyPair(ALGORITHM, { extractable: true });
    const [privateKey, publicKey] = await Promise.all([exportJWK(pair.privateKey), exportJWK(pair.publicKey)]);
    return findOrMake(keys, _id, { privateKey, publicKey, purgeAt: new Date(time.getTime() + KEY_KEPT_MS) });
  }

  /** Keeps the user's record in step with the address and the role of this sign-in. */
  async function recordUser(userId: string, email: string): Promise<void> {
    const role = staff.get(email) ?? "customer";
    const time = now();
    await changeUser(documents, userId, (current) => {
      if (current && (isTombstone(current) || (current.email === email && current.role === role))) return undefined;
      const profile = { email, role };
      const event = { type: "user.updated", userId, profile, updatedAt: time.getTime() } as const;
      const next = applyIdentityEvent(current, event, time);
      return next && { next };
    });
  }

  return {
    /** Sends a link, unless the address got too many within the hour. The caller learns neither. */
    async requestLink({ email: address, app, back }: { email: string; app: App; back: string }): Promise<void> {
      const email = address.toLowerCase();
      const createdAt = now();
      const since = new Date(createdAt.getTime() - COUNTED_MS);
      if ((await links.count({ email, createdAt: { $gt: since } })) >= MOST_LINKS) return;
      const token = randomBytes(32).toString("base64url");
      const purgeAt = new Date(createdAt.getTime() + COUNTED_MS);
      await links.insertOne({ _id: hashToken(token), email, app, createdAt, purgeAt });
      const query = new URLSearchParams({ token, ...(back === "/" ? {} : { return: back }) });
      await sendLink({ email, link: `${origins[app]}/sign-in?${query.toString()}`, minutes: LINK_MINUTES });
    },

    /** Exchanges a link's token for a session's token, once. @throws UNAUTHORIZED */
    async redeemLink(linkToken: string): Promise<{ token: string; expiresAt: Date }> {
      const time = now();
      const createdAt = { $gt: new Date(time.getTime() - LINK_MINUTES * MINUTE_MS) };
      const unused = { _id: hashToken(linkToken), createdAt, usedAt: { $exists: false } };
      const link = await links.findOneAndUpdate(unused, { $set: { usedAt: time } });
      if (!link) throw new PartlineError("UNAUTHORIZED", "The link is not valid, has expired or was used before");
      const { email, app } = link;
      const { userId } = await findOrMake(accounts, email, { userId: `user_${ulid()}` });
      await recordUser(userId, email);
      const role = staff.get(email);
      const expiresAt = new Date(time.getTime() + (role === undefined ? TOKEN_MS.customer : TOKEN_MS.staff));
      const { _id: kid, privateKey } = await getTokenKey();
      const token = await new SignJWT({ email, azp: origins[app], ...(role !== undefined && { role }) })
        .setProtectedHeader({ alg: ALGORITHM, kid })
        .setSubject(userId)
        .setAudience(audience)
        .setIssuer(issuer ?? origins.shop)
        .setIssuedAt(time)
        .setExpirationTime(expiresAt)
        .sign(await importJWK(privateKey, ALGORITHM));
      return { token, expiresAt };
    },

    /** Returns the public keys of tokens, as a JSON Web Key Set. */
    async listPublicKeys(): Promise<{ keys: JWK[] }> {
      await getTokenKey();
      const stored = await keys.find({});
      return { keys: stored.map(({ _id: kid, publicKey }) => ({ ...publicKey, kid, alg: ALGORITHM, use: "sig" })) };
    },

    /** Deletes a user and frees the address. What keeps the user's data hears of it, and erases it. */
    async deleteUser(userId: string): Promise<void> {
      await changeUser(documents, userId, (current) => {
        const next = applyIdentityEvent(current, { type: "user.deleted", userId }, now());
        const email = current && !isTombstone(current) ? current.email : undefined;
        const account =
          email === undefined ? [] : [{ collection: MAIL_ACCOUNTS, deleteOne: { filter: { _id: email } } }];
        return next && { next, also: [outbox("user.deleted", { userId }, `user.deleted:${userId}`), ...account] };
      });
    },
  };
}

/** Returns the document of an id; of several nodes that make it at a time, the first has made it. */
async function findOrMake<T extends Document>(
  collection: Collection<T>,
  _id: string,
  fields: Omit<T, "_id">,
): Promise<T> {
  const document = await collection.findOneAndUpdate({ _id }, { $setOnInsert: fields }, { upsert: true });
  if (document === null) throw new PartlineError("DATABASE_UNAVAILABLE", "The store did not keep what was made");
  return document;
}

const hashToken = (token: string): string => hash("sha256", token, "base64url");
