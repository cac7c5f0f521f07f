/** `status=~"4..|5.."`. */
export interface Selector {
  label: string;
  operator: string;
  value: string;
}

/** What an expression of Prometheus reads: each metric with what it selects by, and the labels that it groups by. */
export interface Reading {
  metrics: { name: string; selectors: Selector[] }[];
  groupedBy: string[];
}

const WORDS = new Set([
  "by",
  "without",
  "on",
  "ignoring",
  "group_left",
  "group_right",
  "and",
  "or",
  "unless",
  "bool",
  "offset",
  "inf",
  "nan",
]);

/** Enough of PromQL for expressions without subqueries over names that are made up as they run. */
export function readPromql(expression: string): Reading {
  const groupedBy: string[] = [];
  const metrics: Reading["metrics"] = [];
  const texts: string[] = [];
  const withoutTexts = expression
    .replace(/"((?:[^"\\]|\\.)*)"/g, (_, text: string) => `"${texts.push(text) - 1}"`)
    .replace(/\[[^\]]*\]/g, "");
  const ungrouped = withoutTexts.replace(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g, (_, names: string) => {
    groupedBy.push(
      ...names
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== ""),
    );
    return " ";
  });
  for (const [, name, after, selected] of ungrouped.matchAll(/([a-zA-Z_:][\w:]*)\s*(?:(\()|\{([^}]*)\})?/g)) {
    if (after === "(" || WORDS.has(name!.toLowerCase())) continue;
    const selectors = [...(selected ?? "").matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"(\d+)"/g)];
    metrics.push({
      name: name!,
      selectors: selectors.map(([, label, operator, text]) => ({
        label: label!,
        operator: operator!,
        value: texts[Number(text)]!,
      })),
    });
  }
  return { metrics, groupedBy };
}
