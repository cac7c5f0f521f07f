import { hash, randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";
import {
  type Collection,
  type CollectionDefinition,
  compareAndSet,
  createReplacement,
  type Document,
  type DocumentStore,
} from "@partline/durable";
import type { App } from "../../broker/contract/define.ts";
import type { Settings } from "../../broker/settings.ts";
import { invalidField, PartlineError } from "../../mixins/errors.ts";
import { getQuarter } from "../../mixins/http/signed-token.ts";
import { normalizeEmail, ulid } from "@partline/toolkit";
import type { Language } from "../../mixins/shop/languages.ts";
import { outbox } from "../contracts.ts";
import { emailRule } from "../shared/commerce.ts";
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
  fields: { email: "string", app: "string", createdAt: "date", usedAt: "date", purgeAt: "date" },
  indexes: [{ keys: { email: 1, createdAt: -1 } }],
  expires: "purgeAt",
};

/** The newest link of an address to an app: each new one replaces it, so that no two are counted at a time. */
interface NewestLink extends Document {
  linkId: string;
  purgeAt: Date;
}

const NEWEST_LINKS: CollectionDefinition = {
  name: "newest_sign_in_links",
  fields: { linkId: "string", purgeAt: "date" },
  expires: "purgeAt",
};

/** Whose an address is. `_id` is the address as `normalizeEmail` spells it. */
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
/**
 * Most links of an app that an address has at a time: nobody's mailbox is flooded, and nobody is locked out by
 * another's requests, because an address that is refused has valid links to that app.
 */
const MOST_LINKS = 5;
/** A token cannot be called back: one of staff ends within a working day. */
const TOKEN_MS = { staff: 12 * 60 * MINUTE_MS, customer: 7 * DAY_MS };
/** A quarter of a year, the longest life of its last token, and a margin. */
const KEY_KEPT_MS = 110 * DAY_MS;

type LinkRequest = Record<"email" | "back", string> & { app: App; language: Language };

interface MailSignInDeps {
  documents: DocumentStore;
  settings: Pick<Settings, "identity" | "storeUrl" | "consoleUrl">;
  /** Returns whether the mail server takes mail for the address. @throws SERVICE_UNAVAILABLE */
  sendLink(mail: { email: string; link: string; minutes: number; language: Language }): Promise<{ accepted: boolean }>;
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
  const newestLinks = documents.collection<NewestLink>(NEWEST_LINKS);
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

  /** Stores a link, unless the address has the most valid ones. @returns whether it is stored */
  function reserveLink(linkId: string, email: string, app: App): Promise<boolean> {
    return compareAndSet(documents, "The address", async () => {
      const _id = `${app}:${email}`;
      const newest = await newestLinks.findOne({ _id });
      const createdAt = now();
      const since = new Date(createdAt.getTime() - LINK_MINUTES * MINUTE_MS);
      if ((await links.count({ email, app, createdAt: { $gt: since } })) >= MOST_LINKS)
        return { conditions: [], result: false };
      const purgeAt = new Date(createdAt.getTime() + LINK_MINUTES * MINUTE_MS);
      return {
        conditions: [createReplacement(NEWEST_LINKS, newest, "linkId", { _id, linkId, purgeAt })],
        also: [{ collection: SIGN_IN_LINKS, insertOne: { _id: linkId, email, app, createdAt, purgeAt } }],
        result: true,
      };
    });
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
    /**
     * Sends a link, unless the address has the most. The caller learns neither.
     * @throws VALIDATION_FAILED, SERVICE_UNAVAILABLE
     */
    async requestLink({ email: address, app, back, language }: LinkRequest): Promise<void> {
      const email = normalizeEmail(address);
      if (email === undefined || email.length > emailRule.max || !emailRule.pattern.test(email))
        throw invalidField("email", "has no spelling that a mail server takes");
      const token = randomBytes(32).toString("base64url");
      const linkId = hashToken(token);
      if (!(await reserveLink(linkId, email, app))) return;
      const query = new URLSearchParams({ token, ...(back === "/" ? {} : { return: back }) });
      const link = `${origins[app]}/sign-in?${query.toString()}`;
      let accepted = false;
      try {
        ({ accepted } = await sendLink({ email, link, minutes: LINK_MINUTES, language }));
      } finally {
        // A link that nobody got does not count.
        if (!accepted) await links.deleteOne({ _id: linkId });
      }
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
      const token = await new SignJWT({
        email,
        email_verified: true,
        azp: origins[app],
        ...(role !== undefined && { role }),
      })
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
