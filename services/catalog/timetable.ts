import type { ServiceBroker } from "moleculer";
import { getMetrics, shareRunning } from "@partline/moleculer-kit";
import {
  type AtomicWrite,
  type CollectionDefinition,
  type Document,
  type DocumentStore,
  type TaskHandler,
  getTaskId,
  type TaskRun,
  type Tasks,
  type Update,
} from "@partline/durable";
import { notFound } from "../../mixins/errors.ts";
import { enqueue } from "../contracts.ts";

/** A periodic job; its name is its vendor's, or `dealer`. */
export interface TimedJob {
  name: string;
  /** Undefined if its setting is `off`. */
  everyMs: number | undefined;
  /**
   * Resolves to true on success; to false also if the work that it began reports success later (`succeeded`). A text:
   * its time was over before all was done, and the next run goes on `from` there.
   */
  run(task: TaskRun, from?: string): Promise<boolean | string>;
}

interface TimetableRow extends Document {
  /** Time at which the job was first enqueued. */
  since: Date;
  succeededAt?: Date;
  paused?: boolean;
}

const TIMETABLE: CollectionDefinition = {
  name: "catalog_timetable",
  fields: { since: "date", succeededAt: "date", paused: "boolean" },
};

/**
 * Runs come up to this share of the period earlier or later, so that systems that start together do not ask together.
 */
const JITTER = 0.1;

/** Returns when the next run is due; the first one comes after a period too. */
export function computeNextRun(everyMs: number, now = Date.now(), random = Math.random()): Date {
  return new Date(now + everyMs * (1 - JITTER + 2 * JITTER * random));
}

export type Timetable = ReturnType<typeof createTimetable>;

interface TimetableDeps {
  documents: DocumentStore;
  tasks: Pick<Tasks, "drop" | "find" | "wake">;
  jobs: readonly TimedJob[];
}

/** Runs jobs as durable tasks: one at a time in the cluster, also across restarts, until they are paused. */
export function createTimetable({ documents, tasks, jobs }: TimetableDeps) {
  const rows = documents.collection<TimetableRow>(TIMETABLE);
  const active = jobs.flatMap(({ everyMs, ...job }) => (everyMs === undefined ? [] : [{ ...job, everyMs }]));
  const toTaskId = (name: string): string => getTaskId("catalog.timed", name);
  const scheduleRun = (name: string, dueAt: Date, from?: string): AtomicWrite =>
    enqueue("catalog.timed", name, { job: name, ...(from === undefined ? {} : { from }) }, { dueAt });
  const updateRow = (name: string, update: Update, more = {}): AtomicWrite => ({
    collection: TIMETABLE,
    updateOne: { filter: { _id: name }, update, ...more },
  });
  const recordSuccess = (name: string): AtomicWrite => updateRow(name, { $set: { succeededAt: new Date() } });

  const getState = async ({ name, everyMs }: (typeof active)[number]) => {
    const [row, task] = await Promise.all([rows.findOne({ _id: name }), tasks.find(toTaskId(name))]);
    return {
      job: name,
      everySeconds: everyMs / 1_000,
      paused: row?.paused === true,
      succeededAt: row?.succeededAt ?? null,
      nextAt: task?.dueAt ?? null,
    };
  };
  const getJob = (name: string): (typeof active)[number] => {
    const job = active.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    if (!job) throw notFound("Job", name);
    return job;
  };

  const handler: TaskHandler<{ job: string; from?: string }> = {
    maxRetries: Infinity,
    run: async ({ job: name, from }, task) => {
      const job = active.find((candidate) => candidate.name === name);
      if (!job || (await rows.findOne({ _id: name }))?.paused) return;
      const done = await job.run(task, from);
      await documents.atomically([
        task.held(),
        ...(done === true ? [recordSuccess(name)] : []),
        scheduleRun(name, computeNextRun(job.everyMs), typeof done === "string" ? done : undefined),
      ]);
    },
  };

  return {
    handler,
    /** Enqueues what has no run ahead within its period, and drops what is off. */
    async start(): Promise<void> {
      for (const { name, everyMs } of active) {
        const task = await tasks.find(toTaskId(name));
        const isAhead = task && task.dueAt <= computeNextRun(everyMs, Date.now(), 1);
        if (isAhead || (await rows.findOne({ _id: name }))?.paused) continue;
        await documents.atomically([
          updateRow(name, { $set: { since: new Date() } }, { upsert: true }),
          scheduleRun(name, computeNextRun(everyMs)),
        ]);
      }
      await tasks.drop(...jobs.flatMap(({ name, everyMs }) => (everyMs === undefined ? [toTaskId(name)] : [])));
    },
    succeeded: recordSuccess,
    list: () => Promise.all(active.map(getState)),
    /** @throws NOT_FOUND, also for a job that is off */
    async pause(name: string) {
      const job = getJob(name);
      await rows.updateOne({ _id: job.name }, { $set: { paused: true } });
      await tasks.drop(toTaskId(job.name));
      return getState(job);
    },
    /** @throws NOT_FOUND, also for a job that is off */
    async resume(name: string) {
      const job = getJob(name);
      await documents.atomically([
        updateRow(job.name, { $unset: { paused: true } }),
        scheduleRun(job.name, new Date()),
      ]);
      tasks.wake();
      return getState(job);
    },
    /** Lists for each job the end of its last complete run (or its first enqueuing) and its period, both in seconds. */
    async listFigures(): Promise<{ job: string; succeededAt: number; every: number }[]> {
      const rowsByJob = new Map((await rows.find({})).map((row) => [row._id, row]));
      return active.flatMap(({ name, everyMs }) => {
        const { since, succeededAt = since } = rowsByJob.get(name) ?? {};
        if (!since) return [];
        const endedAt = Math.max(since.getTime(), succeededAt!.getTime());
        return { job: name, succeededAt: endedAt / 1_000, every: everyMs / 1_000 };
      });
    },
  };
}

/** Exports the figures; they are left out while the store is away. */
export function watchTimetable(broker: ServiceBroker, timetable: Pick<Timetable, "listFigures">): void {
  const look = shareRunning(() => timetable.listFigures().catch(() => []));
  const exportMetric = (name: string, help: string, value: "succeededAt" | "every") =>
    getMetrics(broker).read(
      `partline_catalog_${name}_seconds`,
      help,
      async () => (await look()).map((figure) => [{ task: figure.job }, figure[value]]),
      ["task"],
    );
  const success = "Time of a job's last complete run, or of its first enqueuing";
  exportMetric("last_success_timestamp", success, "succeededAt");
  exportMetric("job_interval", "Period of a job", "every");
}
