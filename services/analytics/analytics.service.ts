import type { ServiceBroker, ServiceSchema } from "moleculer";
import { startPeriodic, type Periodic } from "../../broker/periodic.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { call, implement, type StoredEvent } from "../contracts.ts";
import { analyticsContract } from "./contract.ts";
import { PROJECTION_NAMES } from "./limits.ts";
import { createProjector, eventsBy } from "./projector.ts";
import { createSearchExport, type List } from "./exporting.ts";
import { createReports } from "./reports/reports.ts";
import { headWithin, standingOf } from "./standing.ts";

const STORE_STARTS_MS = 2_000;
/** Wakes are hints that may be lost. */
const POLL_MS = 2_000;
const LEASE_MS = 10_000;
/** Longest run under one lease; more follows at once. */
const RUN_MS = 5_000;

export default function analyticsService(broker: ServiceBroker): ServiceSchema {
  const { documents } = serviceRuntimeOf(broker);
  const logger = broker.getLogger("analytics");
  const list: List = async (params) => (await call(broker, "eventstore.list", params)).events as StoredEvent[];
  const readEvents = eventsBy(
    (after, limit) => list({ after, limit }),
    (error) =>
      logger.error("More events were counted than the event store has: it has lost some, or is another", error),
  );
  const projector = createProjector(documents, readEvents);
  const head = headWithin(async (known) => (await call(broker, "eventstore.head", { known })).position);
  const reports = createReports({ documents, head });
  const exported = createSearchExport(list);
  let worker: Periodic | undefined;
  let isStopping = false;
  let isFailing = false;

  let isStoreThere = false;
  /** At a start, the event store may come a little later. */
  const isBehind = async (): Promise<boolean> => {
    if (!isStoreThere) await broker.waitForServices("eventstore", STORE_STARTS_MS, STORE_STARTS_MS / 20);
    isStoreThere = true;
    return projector.isBehind();
  };
  /** In one process at a time. */
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
  const onError = (_task: string, error: unknown): void => {
    // While the process stops, the event store may be gone already.
    if (!isFailing && !isStopping) logger.warn("Events cannot be counted, it is tried again", error);
    isFailing = true;
  };
  const standings = async () => {
    const checkpoints = await projector.checkpoints();
    // Read after the checkpoints, so that it is not below them.
    const newest = await head(Math.max(...checkpoints.map(({ position }) => position)));
    return { projections: checkpoints.map((checkpoint) => standingOf(checkpoint, newest)) };
  };

  return implement(analyticsContract, {
    actions: {
      overview: (ctx) => reports.overview(ctx.params),
      orders: (ctx) => reports.orders(ctx.params),
      revenue: (ctx) => reports.revenue(ctx.params),
      conversion: (ctx) => reports.conversion(ctx.params),
      parts: (ctx) => reports.parts(ctx.params),
      searches: (ctx) => reports.searches(ctx.params),
      zeroHits: (ctx) => reports.zeroHits(ctx.params),

      exportSearches: (ctx) => exported(ctx.params),
      projections: standings,
      async rebuild({ params: { projection } }) {
        await projector.rebuild(projection === undefined ? PROJECTION_NAMES : [projection]);
        worker?.wake();
        return standings();
      },
    },
    events: {
      "eventstore.appended": { params: { position: { type: "number", integer: true } }, handler: () => worker?.wake() },
    },
    started() {
      worker = startPeriodic(
        { name: "analytics.projections", everyMs: POLL_MS, leaseMs: LEASE_MS, isNeeded: isBehind, run: count },
        { documents, holder: broker.nodeID, onError },
      );
    },
    stopped() {
      isStopping = true;
      return worker?.stop();
    },
  });
}
