import type { TokenUser } from "../../broker/contract/context.ts";
import type { Params, Result } from "../../broker/contract/define.ts";
import { compareAndSet, replacing } from "../../mixins/compare-and-set.ts";
import { contains, type AtomicWrite, type DocumentStore, type Filter } from "../../mixins/document-store/port.ts";
import { notFound, type PartlineError } from "../../mixins/errors.ts";
import { pageOf } from "../shared/paging.ts";
import { USERS, type UserDocument, type UserRecord } from "./collections.ts";
import type { userContract } from "./contract.ts";
import {
  isTombstone,
  recordOfBearer,
  viewOfBearer,
  viewOfRecord,
  withChanges,
  type ProfileChanges,
  type User,
} from "./profile.ts";

export type Users = ReturnType<typeof createUsers>;

interface Change {
  next: UserDocument;
  also?: AtomicWrite[];
}

export function createUsers(documents: DocumentStore) {
  const users = documents.collection<UserDocument>(USERS);

  async function findLiving(id: string): Promise<UserRecord | undefined> {
    const document = await users.findOne({ _id: id });
    if (document && isTombstone(document)) throw userNotFound(id);
    return document ?? undefined;
  }

  async function findExisting(id: string): Promise<UserRecord> {
    const record = await findLiving(id);
    if (!record) throw userNotFound(id);
    return record;
  }

  /**
   * Writes what `decide` makes of the user, and decides again after a concurrent write. Undefined changes nothing.
   * @throws VERSION_CONFLICT; what `decide` throws; DUPLICATE_KEY or CONDITION_FAILED of another write of the batch, with
   * `failedAt` from 1
   */
  function change(
    id: string,
    decide: (current: UserDocument | undefined) => Change | undefined,
  ): Promise<UserDocument | undefined> {
    return compareAndSet(documents, "The user", async () => {
      const current = await users.findOne({ _id: id });
      const decided = decide(current ?? undefined);
      if (!decided) return { conditions: [], result: undefined };
      return {
        conditions: [replacing(USERS, current, "version", decided.next)],
        also: decided.also,
        result: decided.next,
      };
    });
  }

  async function changeProfile(
    id: string,
    changes: ProfileChanges,
    whenUnknown: (now: Date) => UserRecord,
  ): Promise<UserRecord> {
    const now = new Date();
    let next!: UserRecord;
    await change(id, (current) => {
      if (current && isTombstone(current)) throw userNotFound(id);
      next = withChanges(current ?? whenUnknown(now), changes, now);
      return { next };
    });
    return next;
  }

  return {
    change,
    me: async (bearer: TokenUser): Promise<User> => viewOfBearer(bearer, await findLiving(bearer.sub)),
    updateMe: async (bearer: TokenUser, changes: ProfileChanges): Promise<User> =>
      viewOfBearer(bearer, await changeProfile(bearer.sub, changes, (now) => recordOfBearer(bearer, now))),
    get: async (id: string): Promise<User> => viewOfRecord(await findExisting(id)),
    update: async (id: string, changes: ProfileChanges): Promise<User> =>
      viewOfRecord(
        await changeProfile(id, changes, () => {
          throw userNotFound(id);
        }),
      ),
    async list(query: Params<typeof userContract.actions.list>): Promise<Result<typeof userContract.actions.list>> {
      const { found, pagination } = await pageOf(users, livingUsers(query.q), { createdAt: -1, _id: 1 }, query);
      return { users: found.flatMap((user) => (isTombstone(user) ? [] : [viewOfRecord(user)])), pagination };
    },
  };
}

function livingUsers(q: string | undefined): Filter {
  const living: Filter = { deletedAt: { $exists: false } };
  if (q === undefined) return living;
  return {
    ...living,
    $or: ["_id", "email", "name", "identityName"].map((field): Filter => ({ [field]: contains(q) })),
  };
}

/** The message repeats an id only if it can be one. */
function userNotFound(id: string): PartlineError {
  return /^[\x21-\x7e]{1,100}$/.test(id) ? notFound("User", id) : notFound("User");
}
