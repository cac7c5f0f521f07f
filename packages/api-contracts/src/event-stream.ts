import { array, boolean, integer, object, type ObjectRule, type Rule } from "./rules.ts";

/**
 * The result of an event stream's action. It is called repeatedly with the `after` of the page before; without one it
 * returns where a new reader begins. Positions ascend.
 */
export function createEventPageRule<const E extends ObjectRule>(event: E) {
  return object({
    events: array(event),
    after: integer({ description: "Where to read on" }),
    ends: boolean({ optional: true, description: "Nothing comes after these" }),
  });
}

/** The rule of the events; undefined for another result. */
export function findStreamedEvent(result: Rule): Rule | undefined {
  const events = result.type === "object" && "after" in result.props ? result.props["events"] : undefined;
  return events?.type === "array" && events.items.type === "object" && "position" in events.items.props
    ? events.items
    : undefined;
}
