import type { Histogram, Labels } from "./series.ts";

export type FamilyType = "counter" | "gauge" | "histogram";

/** The Content-Type of what `render` makes. */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** The samples of one metric, in Prometheus text format. */
export class Family {
  readonly name: string;
  readonly type: FamilyType;
  readonly help: string;
  readonly #lines: string[] = [];

  /** @param name a counter's ends in `_total`; a unit in the name is a base unit */
  constructor(name: string, type: FamilyType, help: string) {
    this.name = name;
    this.type = type;
    this.help = help;
  }

  add(value: number, labels: Labels = {}): this {
    this.#line("", labels, value);
    return this;
  }

  addHistogram({ bounds, counts, sum }: Histogram, labels: Labels = {}): this {
    let cumulative = 0;
    for (const [index, bound] of [...bounds, Infinity].entries()) {
      cumulative += counts[index]!;
      this.#line("_bucket", { ...labels, le: bound === Infinity ? "+Inf" : String(bound) }, cumulative);
    }
    this.#line("_sum", labels, sum);
    this.#line("_count", labels, cumulative);
    return this;
  }

  toString(): string {
    if (this.#lines.length === 0) return "";
    return `# HELP ${this.name} ${escapeHelp(this.help)}\n# TYPE ${this.name} ${this.type}\n${this.#lines.join("")}`;
  }

  #line(suffix: string, labels: Labels, value: number): void {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
    this.#lines.push(`${this.name}${suffix}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${formatValue(value)}\n`);
  }
}

export function render(families: readonly Family[]): string {
  return families.map(String).join("");
}

function formatValue(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  return String(value);
}

function escapeLabel(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}
