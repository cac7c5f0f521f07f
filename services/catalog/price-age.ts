import { withTimeout } from "@partline/toolkit";
import { findPartsById } from "./part-prices.ts";
import type { PartReader } from "./part-reader.ts";
import type { PartWriter } from "./part-writer.ts";
import type { PartDocument } from "./part.ts";
import { type InquiredPart, learnAnswers } from "./refresh.ts";
import type { SeenParts } from "./seen-parts.ts";

/** Longest wait of a checkout, and of that for the dealer, milliseconds. */
const LONGEST_WAIT_MS = 1_000;
const INQUIRY_MS = 800;
/** An answer of the dealer that is not older counts. */
const ANSWER_SECONDS = 60;

/** How old an answer of the dealer may be, seconds, and how long it is waited for, milliseconds. */
export interface InquiryLimits {
  maxAgeSeconds: number;
  deadlineMs: number;
}

interface PriceAgeDeps {
  /** Undefined: a price of any age is accepted, and only a doubtful one is asked for. */
  maxAgeMs: number | undefined;
  reader: PartReader;
  writer: PartWriter;
  seen: Pick<SeenParts, "markTold" | "findToldSince">;
  inquire: (parts: { vendor: string; partNumber: string }[], limits: InquiryLimits) => Promise<InquiredPart[]>;
  /** Reports that the catalog's old prices are used, because the dealer did not confirm them. */
  onUnconfirmed: (error: unknown) => void;
}

/**
 * A price is as old as the part's last change, or as the dealer's last answer about it, also one without news. Only the
 * dealer can be asked about single parts: other vendors' prices are as their files and listings say.
 */
export function createConfirm({ maxAgeMs, reader, writer, seen: seenParts, inquire, onUnconfirmed }: PriceAgeDeps) {
  const confirm = async (
    oldParts: readonly PartDocument[],
    doubtful: readonly PartDocument[],
    since: Date,
  ): Promise<PartDocument[]> => {
    const ids = oldParts.map(({ _id }) => _id);
    const confirmedIds = ids.length === 0 ? new Set() : await seenParts.findToldSince(ids, since);
    const stale = [...doubtful, ...oldParts.filter(({ _id }) => !confirmedIds.has(_id))];
    if (stale.length === 0) return [];
    const ask = (parts: readonly PartDocument[], maxAgeSeconds: number): Promise<InquiredPart[]> =>
      inquire(
        parts.map(({ manufacturer, partNumber }) => ({ vendor: manufacturer.code, partNumber })),
        { maxAgeSeconds, deadlineMs: INQUIRY_MS },
      );
    const answers = await ask(stale, ANSWER_SECONDS);
    // A price file has set another price since the answer that is remembered.
    const isBefore = ({ pricedAt }: PartDocument, index: number): boolean =>
      pricedAt !== undefined && (answers[index]?.saidAt ?? pricedAt) < pricedAt;
    const outdated = stale.filter(isBefore);
    const freshAnswers = outdated.length === 0 ? [] : await ask(outdated, 0);
    for (const [index, part] of outdated.entries()) answers[stale.indexOf(part)] = freshAnswers[index]!;
    const answered = await learnAnswers({ writer, seen: seenParts }, stale, answers);
    if (answered.length < stale.length) {
      const errors = [...new Set(answers.flatMap(({ error }) => error ?? []))];
      onUnconfirmed(new Error(`${stale.length - answered.length} of ${stale.length} parts: ${errors.join(", ")}`));
    }
    return (await findPartsById(reader, answered)).filter((part) => part !== undefined);
  };

  /**
   * Returns the parts whose price was old, or that `isDoubtful` names however new they are, as they are once the dealer
   * was asked: by id, in a second at most.
   */
  return async (
    parts: readonly PartDocument[],
    isDoubtful: (part: PartDocument) => boolean,
  ): Promise<ReadonlyMap<string, PartDocument>> => {
    const since = new Date(maxAgeMs === undefined ? 0 : Date.now() - maxAgeMs);
    const activeParts = [...new Map(parts.map((part) => [part._id, part])).values()].filter(
      ({ status, manufacturer }) => status === "active" && reader.names.getByCode(manufacturer.code).pricing === "dis",
    );
    const doubtful = activeParts.filter(isDoubtful);
    const old = activeParts.filter((part) => part.updatedAt < since && !isDoubtful(part));
    if (doubtful.length + old.length === 0) return new Map();
    try {
      const confirmed = await withTimeout(confirm(old, doubtful, since), LONGEST_WAIT_MS, () => {
        throw new Error("the dealer's answer takes too long");
      });
      return new Map(confirmed.map((part) => [part._id, part]));
    } catch (error) {
      onUnconfirmed(error);
      return new Map();
    }
  };
}
