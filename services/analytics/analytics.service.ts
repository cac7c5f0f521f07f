import type { ServiceBroker, ServiceSchema } from "moleculer";
import type { Input } from "@partline/api-contracts";
import { toPeriod } from "../../broker/contract/period.ts";
import type { Periodic } from "@partline/durable";
import { startPeriodicTask } from "../../broker/periodic.ts";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { call, implement, type Actions, type StoredEvent } from "../contracts.ts";
import { createCursorError, exportPage, parsePlace } from "../shared/export-rows.ts";
import { waitFor } from "../shared/starting.ts";
import { analyticsContract } from "./contract.ts";
import { PROJECTION_NAMES } from "./resources.ts";
import { createProjector, createEventReader, createHeadReader, toStanding } from "./projector.ts";
import { createReports } from "./reports.ts";
import { exportedSearchFields } from "./resources.ts";

/** Wakes are hints that may be lost. */
const POLL_MS = 2_000;
const LEASE_MS = 10_000;
/** Longest run under one lease; more follows at once. */
const RUN_MS = 5_000;
const ROWS_EXPORTED = 1_000;

export default function analyticsService(broker: ServiceBroker): ServiceSchema {
  const { documents } = getServiceRuntime(broker);
  const logger = broker.getLogger("analytics");
  const list = async (params: Input<Actions["eventstore.list"]>) =>
    (await call(broker, "eventstore.list", params)).events as StoredEvent[];
  const readEvents = createEventReader(
    (after, limit) => list({ after, limit }),
    (error) =>
      logger.error("More events were counted than the event store has: it has lost some, or is another", error),
  );
  const projector = createProjector(documents, readEvents);
  const head = createHeadReader(
    async (knownPosition) => (await call(broker, "eventstore.head", { known: knownPosition })).position,
  );
  let worker: Periodic | undefined;
  let isStopping = false;
  let isFailing = false;

  const waitForStore = waitFor(broker, "eventstore");
  const isBehind = async (): Promise<boolean> => {
    await waitForStore();
    return projector.isBehind();
  };
  /** Counts events, in one process at a time. */
  const count = async (): Promise<void> => {
    const until = performance.now() + RUN_MS;
    while (!isStopping && performance.now() < until) {
      const hasWorked = await projector.turn();
      if (isFailing) logger.info("Events are counted again");
      isFailing = false;
      if (!hasWorked) return;
    }
    worker?.wake();
  };
  const onError = (error: unknown): void => {
    // While the process stops, the event store may be gone already.
    if (!isFailing && !isStopping) logger.warn("Events cannot be counted, it is tried again", error);
    isFailing = true;
  };
  const listStandings = async () => {
    const checkpoints = await projector.checkpoints();
    // Read after the checkpoints, so that it is not below them.
    const newest = await head(Math.max(...checkpoints.map(({ position }) => position)));
    return { projections: checkpoints.map((checkpoint) => toStanding(checkpoint, newest)) };
  };

  return implement(analyticsContract, {
    actions: {
      ...createReports({ documents, head }),
      async exportSearches({ params }) {
        const { start: since, end: until } = toPeriod(params);
        const after = Number(parsePlace(params, "text")?.[1] ?? 0);
        if (!Number.isSafeInteger(after) || after < 0) throw createCursorError();
        const events = await list({ event_type: "SEARCH_PERFORMED", after, limit: ROWS_EXPORTED, since, until });
        const searches = events.filter((event) => event.event_type === "SEARCH_PERFORMED");
        const rows = searches.map(({ position, timestamp, data: { query, results_count, took_ms, filters } }) => ({
          place: ["search", String(position)] as const,
          values: { searchedAt: timestamp, query, resultsCount: results_count, tookMs: took_ms, filters },
        }));
        // A list may have fewer than its limit; an empty one is the end.
        return exportPage("searches", exportedSearchFields, params, { rows, ends: rows.length === 0 });
      },
      projections: listStandings,
      async rebuild({ params: { projection } }) {
        await projector.rebuild(projection === undefined ? PROJECTION_NAMES : [projection]);
        worker?.wake();
        return listStandings();
      },
    },
    events: {
      "eventstore.appended": { params: { position: { type: "number", integer: true } }, handler: () => worker?.wake() },
    },
    started() {
      worker = startPeriodicTask(
        broker,
        { name: "analytics.projections", everyMs: POLL_MS, leaseMs: LEASE_MS, isNeeded: isBehind, run: count },
        onError,
      );
    },
    stopped() {
      isStopping = true;
      return worker?.stop();
    },
  });
}
