import type { Infer } from "@partline/api-contracts";
import type { AtomicWrite, CollectionDefinition, Document, DocumentStore, Filter, TaskRun } from "@partline/durable";
import { enqueue } from "../contracts.ts";
import type { mailRule } from "./contract.ts";
import type { Cause, Facts } from "./kinds.ts";

/** A mail by its event and kind. Neither text nor address is kept, except one that staff gave, until it is sent. */
export interface MailRecord extends Document, Omit<Infer<typeof mailRule>, "mailId"> {
  orderId?: string;
  facts: Facts;
  to?: string;
  /** Number of the order, as long as nobody has dealt with the refusal of a mail to the buyer. */
  refusedOf?: string;
  /** Of a refused mail: its order is picked up. */
  isPickup?: boolean;
  purgeAt: Date;
}

/** Lifetime of a record: that of the links in mails. */
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

export const MAILS: CollectionDefinition = {
  name: "mails",
  fields: {
    orderId: "string",
    state: "string",
    createdAt: "date",
    sentAt: "date",
    purgeAt: "date",
    refusedOf: "string",
  },
  indexes: [{ keys: { orderId: 1, createdAt: 1 } }, { keys: { state: 1, createdAt: 1 } }, { keys: { refusedOf: 1 } }],
  expires: "purgeAt",
};

interface Begin extends Document {
  from: Date;
}

export const BEGIN: CollectionDefinition = { name: "mail_begin", fields: { from: "date" } };

/** Events of the first start, of which some processes are ready before others, are mailed. */
const BEFORE_BEGIN_MS = 60 * 60_000;

/** Ids of the link's mails that buyers ask for begin so. */
export const LINK_MAIL = "link:";

type Outcome = Pick<MailRecord, "state" | "sentAt" | "reason" | "refusedOf" | "isPickup">;

/** Longer than a server that is restarted stays away, until the last retry. */
export const LATE_MS = { from: 15 * 60_000, to: 4 * 24 * 60 * 60_000 };
const REFUSED: Filter = { refusedOf: { $gt: "" } };
const MOST_REFUSED = 100;

export type MailRecords = ReturnType<typeof createMailRecords>;

/** @param wake has mails sent that are due */
export function createMailRecords(documents: DocumentStore, wake?: () => void) {
  const mails = documents.collection<MailRecord>(MAILS);
  return {
    /** Returns since when events are mailed: an hour before mail was first switched on over this store. */
    async getStart(): Promise<Date> {
      const $setOnInsert = { from: new Date(Date.now() - BEFORE_BEGIN_MS) };
      const begin = documents.collection<Begin>(BEGIN);
      return (await begin.findOneAndUpdate({ _id: "mail" }, { $setOnInsert }, { upsert: true }))!.from;
    },
    find: (mailId: string): Promise<MailRecord | null> => mails.findOne({ _id: mailId }),
    countRefused: (since: Date): Promise<number> => mails.count({ state: "refused", createdAt: { $gte: since } }),
    /** Counts the mails that the server has not taken for too long. */
    countLate: (now = Date.now()): Promise<number> => {
      const createdAt = { $gt: new Date(now - LATE_MS.to), $lt: new Date(now - LATE_MS.from) };
      return mails.count({ state: "waiting", createdAt });
    },
    /** Returns whether a buyer's request had the order's link mailed since then. */
    hasLinkSince: async (orderId: string, since: Date): Promise<boolean> =>
      (await mails.find({ orderId, createdAt: { $gt: since } })).some(({ _id }) => _id.startsWith(LINK_MAIL)),
    findByOrder: (orderId: string): Promise<MailRecord[]> => mails.find({ orderId }, { sort: { createdAt: 1 } }),
    /** Stores mails with their tasks; one that is known stays as it is. */
    async add(
      orderId: string | undefined,
      causes: readonly (Cause & { mailId: string; to?: string })[],
    ): Promise<void> {
      for (const cause of causes)
        if (!(await mails.findOne({ _id: cause.mailId }))) await documents.atomically(createMailWrites(orderId, cause));
      wake?.();
    },
    listRefused: () => mails.find(REFUSED, { sort: { createdAt: -1 }, limit: MOST_REFUSED }),
    countOpenRefusals: () => mails.count(REFUSED),
    closeRefusal: (mailId: string) => mails.updateOne({ _id: mailId }, { $unset: { refusedOf: true } }),
    /** Ends a mail, with the mails that report it, in one batch with the task's lease. */
    async end(
      { _id, orderId }: MailRecord,
      task: Pick<TaskRun, "held">,
      outcome: Outcome,
      also: readonly Cause[] = [],
    ) {
      const reports = also.flatMap((cause) => createMailWrites(orderId, { ...cause, mailId: `${_id}:${cause.kind}` }));
      const update = { $set: outcome, $unset: { to: true } } as const;
      await documents.atomically([
        task.held(),
        { collection: MAILS, updateOne: { filter: { _id }, update } },
        ...reports,
      ]);
    },
  };
}

function createMailWrites(
  orderId: string | undefined,
  { mailId, kind, facts, to, afterMs = 0 }: Cause & { mailId: string; to?: string },
): AtomicWrite[] {
  const createdAt = new Date();
  const purgeAt = new Date(createdAt.getTime() + KEPT_MS);
  const update = { $setOnInsert: { orderId, kind, facts, state: "waiting", createdAt, purgeAt, to } };
  return [
    { collection: MAILS, updateOne: { filter: { _id: mailId }, update, upsert: true } },
    enqueue("mail.send", mailId, { mailId }, { dueAt: new Date(createdAt.getTime() + afterMs) }),
  ];
}
