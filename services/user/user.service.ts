import type { ServiceBroker, ServiceSchema } from "moleculer";
import { auditWrites } from "../../broker/audit/audited.ts";
import { getCaller, requireUser, type TokenUser } from "../../broker/contract/context.ts";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { contains } from "@partline/durable";
import { PartlineError } from "../../mixins/errors.ts";
import { call, implement } from "../contracts.ts";
import { readPage } from "../shared/paging.ts";
import { userContract } from "./contract.ts";
import { createIdentityWebhook } from "./identity-webhook.ts";
import { createMailSignIn } from "./mail-sign-in.ts";
import {
  changeUser,
  isTombstone,
  createBearerRecord,
  createUserNotFoundError,
  toBearerView,
  toUserView,
  applyChanges,
  type ProfileChanges,
} from "./users.ts";
import { USERS, type UserDocument, type UserRecord } from "./collections.ts";

export default function userService(broker: ServiceBroker): ServiceSchema {
  const { settings, documents, channels } = getServiceRuntime(broker);
  const users = documents.collection<UserDocument>(USERS);
  const receive = createIdentityWebhook(documents, settings.identity.webhookSecret, () => channels.wake());

  const mailSignIn =
    settings.identity.mode === "mail"
      ? createMailSignIn({ documents, settings, sendLink: (mail) => call(broker, "mail.sendSignInLink", mail) })
      : undefined;
  /** @throws NOT_FOUND */
  const requireMailSignIn = () => {
    if (!mailSignIn) throw new PartlineError("NOT_FOUND", "People sign in at the identity provider (IDENTITY_MODE)");
    return mailSignIn;
  };

  async function find(id: string): Promise<UserRecord | undefined> {
    const document = await users.findOne({ _id: id });
    if (document && isTombstone(document)) throw createUserNotFoundError(id);
    return document ?? undefined;
  }

  /** @param bearer of whom a record is made if there is none */
  async function changeProfile(id: string, changes: ProfileChanges, bearer?: TokenUser): Promise<UserRecord> {
    const now = new Date();
    let next!: UserRecord;
    await changeUser(documents, id, (current) => {
      const record = current ?? (bearer && createBearerRecord(bearer, now));
      if (!record || isTombstone(record)) throw createUserNotFoundError(id);
      next = applyChanges(record, changes, now);
      return { next };
    });
    return next;
  }

  async function list({ q, ...page }: { q?: string; page: number; pageSize: number }) {
    const $or = q !== undefined && ["_id", "email", "name", "identityName"].map((field) => ({ [field]: contains(q) }));
    // An index has all accounts; a search of words reads a few at a time.
    const filter = $or ? { deletedAt: { $exists: false }, $or } : { deletedAt: null };
    const { found: records, pagination } = await readPage(users, filter, { createdAt: -1 }, page);
    return { users: records.flatMap((user) => (isTombstone(user) ? [] : [toUserView(user)])), pagination };
  }

  return implement(userContract, {
    actions: {
      async me(ctx) {
        const bearer = requireUser(getCaller(ctx));
        return toBearerView(bearer, await find(bearer.sub));
      },
      async updateMe(ctx) {
        const bearer = requireUser(getCaller(ctx));
        return toBearerView(bearer, await changeProfile(bearer.sub, ctx.params, bearer));
      },
      async deleteMe(ctx) {
        if (!mailSignIn) throw new PartlineError("FORBIDDEN", "Accounts are deleted at the identity provider");
        await mailSignIn.deleteUser(requireUser(getCaller(ctx)).sub);
        channels.wake();
        return {};
      },
      async requestSignIn({ params: { return: back, ...request } }) {
        await requireMailSignIn().requestLink({ ...request, back });
        return {};
      },
      redeemSignIn: async ({ params: { token } }) => requireMailSignIn().redeemLink(token),
      listSigningKeys: async () => requireMailSignIn().listPublicKeys(),
      list: (ctx) => list(ctx.params),
      search: (ctx) => list(ctx.params),
      async get({ params: { id } }) {
        const record = await find(id);
        if (!record) throw createUserNotFoundError(id);
        return toUserView(record);
      },
      update: async ({ params: { id, ...changes } }) => toUserView(await changeProfile(id, changes)),
      receiveIdentityEvent: (ctx) => receive(ctx.params, (change) => auditWrites(ctx, change)),
    },
  });
}
