import { rule, type ObjectRule, type Rule } from "./rules.ts";

/**
 * The result of an action whose route answers with an event stream. It is called again and again with the `after` of
 * the page before; without an `after` it says where a new reader begins. Each event has a `position`, ascending.
 */
export function eventPageRule<const E extends ObjectRule>(event: E) {
  return rule({
    type: "object",
    props: {
      events: { type: "array", items: event },
      after: { type: "number", integer: true, description: "Where to read on" },
    },
  });
}

/** The rule of the events of such a result; undefined for another result. */
export function streamedEvent(result: Rule): Rule | undefined {
  const events = result.type === "object" && "after" in result.props ? result.props["events"] : undefined;
  return events?.type === "array" && events.items.type === "object" && "position" in events.items.props
    ? events.items
    : undefined;
}
