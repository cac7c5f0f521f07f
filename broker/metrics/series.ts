/**
 * Series that are bound to their labels once and cost a few additions afterwards. Moleculer's own registry looks the
 * labels up at every call, which makes a call five to nine times as slow.
 */

/** Upper bounds of buckets in ascending order. */
export type Bounds = readonly number[];

export class Histogram {
  readonly bounds: Bounds;
  /** By bucket, not cumulative; the last is beyond every bound. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: Bounds) {
    this.bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.bounds.length && value > this.bounds[bucket]!) bucket += 1;
    this.counts[bucket]! += 1;
    this.sum += value;
  }
}

/** What happens to one action, event or route for one kind of caller. */
export class CallSeries {
  total = 0;
  active = 0;
  readonly time: Histogram;
  /** By name, code and type of the error. */
  readonly errors = new Map<string, { labels: Labels; count: number }>();

  constructor(bounds: Bounds) {
    this.time = new Histogram(bounds);
  }

  begin(): void {
    this.total += 1;
    this.active += 1;
  }

  end(milliseconds: number): void {
    this.active -= 1;
    this.time.observe(milliseconds / 1_000);
  }

  fail(error: unknown): void {
    const { name, code, type } = (typeof error === "object" && error !== null ? error : {}) as Record<string, unknown>;
    let labels: Labels = {
      error_name: String(name ?? ""),
      error_code: String(code ?? ""),
      error_type: String(type ?? ""),
    };
    let key = Object.values(labels).join("\n");
    // Codes of outside libraries are not ours to bound.
    if (this.errors.size >= MAX_ERROR_SERIES && !this.errors.has(key))
      [key, labels] = ["", { error_name: "other", error_code: "", error_type: "" }];
    const known = this.errors.get(key);
    if (known) known.count += 1;
    else this.errors.set(key, { labels, count: 1 });
  }
}

export type Labels = Readonly<Record<string, string>>;

const MAX_ERROR_SERIES = 50;
