import { Family } from "./exposition.ts";
import { LabelledCounter } from "./labelled-counter.ts";
import { Histogram, type Labels } from "./series.ts";

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** What the consumers of the durable channels in this process do. */
export class ChannelMetrics {
  /** A delivery that failed comes back, is a dead letter, or should be one and could not be written down as such. */
  readonly failures = new LabelledCounter(
    "partline_channel_delivery_failures_total",
    "Deliveries whose handler failed",
  );
  readonly #handlings = new Map<string, { labels: Labels; time: Histogram }>();

  /** Answers what is to be told how a handling ended and how long it took, in milliseconds. */
  bind(channel: string, group: string): (outcome: "done" | "failed", milliseconds: number) => void {
    const [done, failed] = (["done", "failed"] as const).map((outcome) => this.#series({ channel, group, outcome }));
    return (outcome, milliseconds) => (outcome === "done" ? done! : failed!).observe(milliseconds / 1_000);
  }

  families(): Family[] {
    const time = new Family(
      "partline_channel_handling_duration_seconds",
      "histogram",
      "Time that a handler took over an event",
    );
    for (const { labels, time: histogram } of this.#handlings.values()) time.addHistogram(histogram, labels);
    return [time, this.failures.family()];
  }

  #series(labels: Labels): Histogram {
    const key = Object.values(labels).join(" ");
    const known = this.#handlings.get(key) ?? { labels, time: new Histogram(SECONDS) };
    this.#handlings.set(key, known);
    return known.time;
  }
}
