import { Family } from "../../broker/metrics/exposition.ts";

export function recordedFamilies({ recorded, lost }: { recorded: number; lost: number }): Family[] {
  return [
    new Family("partline_search_events_recorded_total", "counter", "Searches whose event was written").add(recorded),
    new Family(
      "partline_search_events_lost_total",
      "counter",
      "Searches whose event was lost: the store did not take it in time",
    ).add(lost),
  ];
}
