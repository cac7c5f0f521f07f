export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface ParsedFamily {
  type: string;
  help: string;
  samples: Sample[];
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`, "s");
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/;
const VALUE = /^(?:[+-]Inf|NaN|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;

/**
 * A strict reading of the Prometheus text format 0.0.4: HELP and TYPE before samples, a family's samples together, no
 * series twice, counters that end in _total and do not fall below nothing, histograms whose buckets ascend to +Inf and
 * agree with _count.
 */
export function parseExposition(text: string): Map<string, ParsedFamily> {
  if (!text.endsWith("\n")) throw new Error("The last line is not ended");
  const families = new Map<string, ParsedFamily>();
  const seen = new Set<string>();
  let current: ParsedFamily | undefined;
  let name = "";
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const help = new RegExp(`^# HELP (${NAME}) (.+)$`).exec(line);
    const type = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`).exec(line);
    if (help) {
      if (families.has(help[1]!)) throw new Error(`${help[1]} comes twice`);
      name = help[1]!;
      current = { type: "", help: help[2]!, samples: [] };
      families.set(name, current);
    } else if (type) {
      if (!current || type[1] !== name || current.type !== "") throw new Error(`TYPE is out of place: ${line}`);
      current.type = type[2]!;
      if ((current.type === "counter") !== name.endsWith("_total")) throw new Error(`${name} is a ${current.type}`);
    } else {
      const sample = parseSample(line);
      const series = `${sample.name}${JSON.stringify(Object.entries(sample.labels).sort())}`;
      if (seen.has(series)) throw new Error(`${series} comes twice`);
      seen.add(series);
      if (!current || current.type === "" || !belongs(sample.name, name, current.type))
        throw new Error(`A sample is out of place: ${line}`);
      if (current.type === "counter" && !(sample.value >= 0)) throw new Error(`A counter has no such value: ${line}`);
      current.samples.push(sample);
    }
  }
  for (const [family, { type, samples }] of families) {
    if (type === "histogram") checkHistogram(family, samples);
  }
  return families;
}

function parseSample(line: string): Sample {
  const match = SAMPLE.exec(line);
  if (!match || !VALUE.test(match[3]!)) throw new Error(`Not a sample: ${JSON.stringify(line)}`);
  const labels: Record<string, string> = {};
  let rest = match[2] ?? "";
  while (rest !== "") {
    const label = LABEL.exec(rest);
    if (!label || label[1]! in labels) throw new Error(`Bad labels: ${JSON.stringify(line)}`);
    labels[label[1]!] = label[2]!.replace(/\\(.)/gs, (_, char: string) => (char === "n" ? "\n" : char));
    rest = rest.slice(label[0].length);
  }
  return { name: match[1]!, labels, value: Number(match[3]!.replace("Inf", "Infinity")) };
}

function belongs(sample: string, family: string, type: string): boolean {
  if (type !== "histogram") return sample === family;
  return [`${family}_bucket`, `${family}_sum`, `${family}_count`].includes(sample);
}

function checkHistogram(family: string, samples: Sample[]): void {
  const bySeries = Map.groupBy(samples, ({ labels: { le: _, ...rest } }) =>
    JSON.stringify(Object.entries(rest).sort()),
  );
  for (const [series, list] of bySeries) {
    const buckets = list.filter(({ name }) => name === `${family}_bucket`);
    const bounds = buckets.map(({ labels }) => Number(labels.le!.replace("Inf", "Infinity")));
    const ascending = buckets.every(
      ({ value }, index) => index === 0 || (value >= buckets[index - 1]!.value && bounds[index]! > bounds[index - 1]!),
    );
    const count = list.find(({ name }) => name === `${family}_count`)?.value;
    if (!ascending || bounds.at(-1) !== Infinity || buckets.at(-1)!.value !== count)
      throw new Error(`A broken histogram: ${family}${series}`);
  }
}
