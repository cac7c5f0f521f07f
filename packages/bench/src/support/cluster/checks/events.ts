import { ofType, type Operation } from "../history.ts";
import { groupBy, repeated, type Check, type Violation } from "./check.ts";

/**
 * Positions and event ids are there once, and the versions of each aggregate are 1, 2, 3 and so on in the order of the
 * log.
 */
export const versions: Check = (_operations, { events }) => {
  const violations: Violation[] = [];
  const tell = (about: string, message: string) => violations.push({ check: "versions", about, message });
  for (const [id, times] of repeated(events, ({ eventId }) => eventId)) tell(id, `is recorded ${times} times`);
  for (const [position, times] of repeated(events, ({ position }) => String(position)))
    tell(position, `${times} events have this position`);
  const inOrder = events.toSorted((first, second) => first.position - second.position);
  for (const [aggregateId, aggregateEvents] of groupBy(inOrder, (event) => event.aggregateId)) {
    const wrong = aggregateEvents.findIndex(({ version }, index) => version !== index + 1);
    if (wrong >= 0) tell(aggregateId, `has version ${aggregateEvents[wrong]!.version} where ${wrong + 1} comes`);
  }
  return violations;
};

/** An event or document that was acknowledged is recorded as it was answered. */
export const recorded: Check = (operations, { events }) => {
  const violations: Violation[] = [];
  const tell = (about: string, message: string) => violations.push({ check: "events", about, message });
  const eventsById = new Map(events.map((event) => [event.eventId, event]));
  for (const {
    input: { eventId, aggregateId },
    result,
    output,
  } of ofType(operations, "event.append")) {
    const event = eventsById.get(eventId);
    if (result === "refused" && event) tell(eventId, "was refused, and is recorded");
    if (result !== "ok") continue;
    if (!event) tell(eventId, "was acknowledged, and is not recorded");
    else if (
      event.version !== output!.version ||
      event.position !== output!.position ||
      event.aggregateId !== aggregateId
    ) {
      tell(
        eventId,
        `was answered as version ${output!.version} at ${output!.position}, and is version ${event.version} at ${event.position}`,
      );
    }
  }
  const stored = ofType(operations, "document.store");
  for (const {
    input: { id },
    result,
    output,
  } of stored) {
    if (result !== "ok") continue;
    const event = eventsById.get(output!.eventId);
    if (!event) tell(id, `its version ${output!.version} was acknowledged, and is not recorded`);
    else if (event.version !== output!.version || event.aggregateId !== id)
      tell(id, `its version ${output!.version} is recorded as version ${event.version} of ${event.aggregateId}`);
  }
  // Each content of a document is sent by one operation only, so it makes one event. A try that was not answered may
  // come late, from a process that hung: after the next content it makes one more.
  const eventsByAggregate = groupBy(events, ({ aggregateId }) => aggregateId);
  for (const [id, storings] of groupBy(stored, ({ input }) => input.id)) {
    const eventCount = eventsByAggregate.get(id)?.length ?? 0;
    const possible = storings
      .filter(({ result }) => result !== "refused")
      .reduce((sum, { result, attempts }) => sum + (result === "ok" ? 1 : 0) + attempts.filter(mayComeLate).length, 0);
    if (eventCount > possible)
      tell(id, `${eventCount} events were made of ${possible} contents and tries that may have come late`);
  }
  return violations;
};

function mayComeLate({ status }: Operation["attempts"][number]): boolean {
  return status === undefined || status === 504;
}

/**
 * The events of an order report each of its versions once: what is published with a change is recorded once and not
 * lost.
 */
export const orderHistories: Check = (_operations, { orders, events }) => {
  const violations: Violation[] = [];
  const eventsByOrder = groupBy(
    events.filter(({ aggregateType }) => aggregateType === "order"),
    ({ aggregateId }) => aggregateId,
  );
  for (const { orderId, version } of orders) {
    const versions = (eventsByOrder.get(orderId) ?? [])
      .map(({ orderVersion }) => orderVersion ?? 1)
      .sort((first, second) => first - second);
    const expected = Array.from({ length: version }, (_, index) => index + 1);
    if (versions.join() !== expected.join())
      violations.push({
        check: "order events",
        about: orderId,
        message: `has version ${version}, and events of the versions ${versions.join(", ") || "none"}`,
      });
  }
  return violations;
};
