import type { Infer } from "@partline/api-contracts";
import { type AtomicWrite, type DocumentStore, hasStoreCode } from "@partline/durable";
import { hasCode } from "../../mixins/errors.ts";
import { getAt, withTimeout } from "@partline/toolkit";
import type { StoredEvent } from "../contracts.ts";
import { CHECKPOINTS, type Checkpoint } from "./collections.ts";
import { createRowStore, toWrite, type RowSet } from "./row-store.ts";
import { conversionProjection } from "./conversion.ts";
import { ordersProjection } from "./orders.ts";
import type { projectionRule, ProjectionName } from "./resources.ts";
import type { Projection } from "./rows.ts";
import { searchesProjection } from "./searches.ts";

export const PROJECTIONS: readonly Projection[] = [ordersProjection, conversionProjection, searchesProjection];

/**
 * Events counted in one write. An embedded store does little else for 20 ms, and more are no faster; MongoDB waits for
 * the network.
 */
export const BATCH = { embedded: 1_000, mongodb: 4_000 };
/** Pages read for one write; one of large or few events is short. */
const PAGES = 8;
const LARGEST_PAGE = 1_000;

/**
 * Reads events after a position, ascending: maybe fewer than `limit`, none at the end, and undefined if the log ends
 * before `after`.
 */
export type ReadEvents = (after: number, limit: number) => Promise<readonly StoredEvent[] | undefined>;

/**
 * Reads by `list`, which refuses a position beyond the log's end with VALIDATION_FAILED. Calls `onLoss` once for each
 * such position, until the log reaches it again.
 */
export function createEventReader(
  list: (after: number, limit: number) => ReturnType<ReadEvents>,
  onLoss: (error: unknown) => void,
): ReadEvents {
  const beyond = new Set<number>();
  return async (after, limit) => {
    try {
      const events = await list(after, limit);
      beyond.delete(after);
      return events;
    } catch (error) {
      if (!hasCode(error, "VALIDATION_FAILED")) throw error;
      if (!beyond.has(after)) onLoss(error);
      beyond.add(after);
      return undefined;
    }
  };
}

interface Cursor extends RowSet {
  projection: Projection;
  position: number;
  asOf?: Date;
  isLive: boolean;
}

export type Projector = ReturnType<typeof createProjector>;

export function createProjector(documents: DocumentStore, readEvents: ReadEvents) {
  const rows = createRowStore(documents);
  const batch = BATCH[documents.backend];
  const collection = documents.collection<Checkpoint>(CHECKPOINTS);

  async function getCheckpoint(name: string): Promise<Checkpoint> {
    const first = { generation: 1, position: 0, generations: 1, retired: [] };
    return (await collection.findOneAndUpdate({ _id: name }, { $setOnInsert: first }, { upsert: true }))!;
  }

  async function listCheckpoints(): Promise<Checkpoint[]> {
    const documents = await collection.find({ _id: { $in: PROJECTIONS.map(({ name }) => name) } });
    const checkpointsByName = new Map(documents.map((checkpoint) => [checkpoint._id, checkpoint]));
    return Promise.all(PROJECTIONS.map(async ({ name }) => checkpointsByName.get(name) ?? (await getCheckpoint(name))));
  }

  async function readBatch(position: number): Promise<StoredEvent[] | undefined> {
    const events: StoredEvent[] = [];
    for (let page = 0; page < PAGES && events.length < batch; page++) {
      const pageEvents = await readEvents(
        events.at(-1)?.position ?? position,
        Math.min(LARGEST_PAGE, batch - events.length),
      );
      if (!pageEvents && events.length === 0) return undefined;
      if (!pageEvents || pageEvents.length === 0) break;
      events.push(...pageEvents);
    }
    return events;
  }

  /** Generations at one position share what is read and written. */
  async function count(cursors: readonly Cursor[]): Promise<boolean> {
    const events = await readBatch(getAt(cursors, 0).position);
    if (!events) await markAhead(cursors);
    const last = events?.at(-1);
    if (!events || !last) return false;
    const advances = cursors.map((cursor) => advanceCursor(cursor, last.position, getLatest(cursor.asOf, events)));
    const changes: AtomicWrite[] = [];
    for (const cursor of cursors) {
      for (const write of await cursor.projection.project(events, (keys) => rows.load(cursor, keys)))
        changes.push(toWrite(cursor, write));
    }
    try {
      await documents.atomically([...advances, ...changes]);
    } catch (error) {
      // Another process counted this batch; the next turn continues after it.
      if (!hasStoreCode(error, "CONDITION_FAILED") || error.failedAt === undefined || error.failedAt >= advances.length)
        throw error;
    }
    return true;
  }

  async function markAhead(cursors: readonly Cursor[]): Promise<void> {
    for (const { name, generation, position } of cursors.filter(({ isLive }) => isLive)) {
      await collection.updateOne(
        { _id: name, generation, position, ahead: { $exists: false } },
        { $set: { ahead: true } },
      );
    }
  }

  /** Replaces the live generation; one that `isWhole` may have counted less. */
  async function replaceLive({ _id, generation, position, building }: Checkpoint, isWhole: boolean): Promise<boolean> {
    if (!building || (building.position < position && !isWhole)) return false;
    const { generation: next, position: reached, asOf } = building;
    await collection.updateOne(
      { _id, generation, position, "building.generation": next, "building.position": reached },
      {
        $set: { generation: next, position: reached, asOf },
        $unset: { building: true, ahead: true },
        $push: { retired: generation },
      },
    );
    return true;
  }

  async function removeRetired({ _id: name, retired }: Checkpoint): Promise<boolean> {
    const [generation] = retired;
    if (generation === undefined) return false;
    if (!(await rows.removeSome({ name, generation })))
      await collection.updateOne({ _id: name }, { $pull: { retired: generation } });
    return true;
  }

  return {
    checkpoints: listCheckpoints,
    isBehind: async (): Promise<boolean> => {
      const allCheckpoints = await listCheckpoints();
      if (allCheckpoints.some(({ building, retired }) => building || retired.length > 0)) return true;
      const next = await readEvents(Math.min(...allCheckpoints.map(({ position }) => position)), 1);
      return next?.length !== 0;
    },
    /**
     * Counts a batch for each position of a generation, replaces finished generations, and removes old rows. Several
     * processes may do so at once. @returns whether there was anything to do
     */
    async turn(): Promise<boolean> {
      let worked = false;
      const currentCheckpoints = await listCheckpoints();
      const ends = new Set<number>();
      for (const cursors of Map.groupBy(listCursors(currentCheckpoints), ({ position }) => position).values()) {
        if (await count(cursors)) worked = true;
        else ends.add(getAt(cursors, 0).position);
      }
      // At the log's end before the live position: the event store lost events.
      const completeBuilds = new Set(
        currentCheckpoints
          .filter(({ position, building }) => building && building.position < position && ends.has(building.position))
          .map(({ _id }) => _id),
      );
      for (const checkpoint of worked ? await listCheckpoints() : currentCheckpoints) {
        worked = (await replaceLive(checkpoint, completeBuilds.has(checkpoint._id))) || worked;
        worked = (await removeRetired(checkpoint)) || worked;
      }
      return worked;
    },
    /** Begins a new generation from the first event, unless one is begun. */
    async rebuild(names: readonly string[]): Promise<void> {
      for (const name of names) {
        const { generations, building } = await getCheckpoint(name);
        if (building) continue;
        const generation = generations + 1;
        await collection.updateOne(
          { _id: name, generations, "building.generation": { $exists: false } },
          { $set: { generations: generation, building: { generation, position: 0, startedAt: new Date() } } },
        );
      }
    },
  };
}

function listCursors(checkpoints: readonly Checkpoint[]): Cursor[] {
  return checkpoints.flatMap(({ _id: name, generation, position, asOf, building }, index) => {
    const projection = getAt(PROJECTIONS, index);
    const live: Cursor = { name, projection, generation, position, asOf, isLive: true };
    return building ? [live, { name, projection, ...building, isLive: false }] : [live];
  });
}

function advanceCursor({ name, generation, position, isLive }: Cursor, to: number, asOf: Date): AtomicWrite {
  const prefix = isLive ? "" : "building.";
  return {
    collection: CHECKPOINTS,
    require: true,
    updateOne: {
      filter: { _id: name, [`${prefix}generation`]: generation, [`${prefix}position`]: position },
      update: { $set: { [`${prefix}position`]: to, [`${prefix}asOf`]: asOf } },
    },
  };
}

function getLatest(asOf: Date | undefined, events: readonly StoredEvent[]): Date {
  return new Date(Math.max(asOf?.getTime() ?? -Infinity, ...events.map(({ timestamp }) => timestamp.getTime())));
}

const HEAD_DEADLINE_MS = 1_500;

/**
 * The newest position; null if the event store does not answer. An answer below `knownPosition`, a counted position, is
 * checked.
 */
export type Head = (knownPosition: number) => Promise<number | null>;

export function createHeadReader(ask: (knownPosition: number) => Promise<number>): Head {
  return (knownPosition) => withTimeout(ask(knownPosition), HEAD_DEADLINE_MS, () => null).catch(() => null);
}

/** Counts the events behind the head; null if that is unknown, or if the log ends before the position. */
export function countBehind(head: number | null, position: number): number | null {
  return head === null || head < position ? null : head - position;
}

export function toStanding(
  { _id, generation, position, asOf, building, ahead }: Checkpoint,
  head: number | null,
): Infer<typeof projectionRule> {
  const left = ahead ? null : countBehind(head, position);
  const isAhead = ahead ?? (head !== null && head < position);
  const progress = left === null ? "unknown" : left === 0 ? "current" : "catching_up";
  return {
    name: _id as ProjectionName,
    state: building ? "rebuilding" : isAhead ? "ahead" : progress,
    generation,
    position,
    as_of: asOf ?? null,
    behind: left,
    rebuilding: building
      ? { generation: building.generation, position: building.position, startedAt: building.startedAt }
      : null,
  };
}
