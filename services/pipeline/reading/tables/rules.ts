import type { RuledLine } from "../page.ts";

/** A line: its position across, and its ends. */
export interface Rule {
  at: number;
  from: number;
  to: number;
}

export interface Rules {
  horizontal: Rule[];
  vertical: Rule[];
}

/** Points: double lines are one. */
const NEAR = 2;
/** Points. */
const BREAK = 4;
const SHORTEST_ACROSS = 10;
const SHORTEST_DOWN = 5;

export function rulesOf(lines: readonly RuledLine[]): Rules {
  const horizontal: Rule[] = [];
  const vertical: Rule[] = [];
  for (const { x1, y1, x2, y2 } of lines) {
    if (x2 - x1 >= y2 - y1) horizontal.push({ at: (y1 + y2) / 2, from: x1, to: x2 });
    else vertical.push({ at: (x1 + x2) / 2, from: y1, to: y2 });
  }
  return {
    horizontal: joined(horizontal).filter(({ from, to }) => to - from >= SHORTEST_ACROSS),
    vertical: joined(vertical).filter(({ from, to }) => to - from >= SHORTEST_DOWN),
  };
}

function joined(rules: readonly Rule[]): Rule[] {
  return groupNear(rules, NEAR).flatMap((group) => {
    const at = group.reduce((sum, rule) => sum + rule.at, 0) / group.length;
    const whole: Rule[] = [];
    for (const { from, to } of [...group].sort((one, other) => one.from - other.from)) {
      const last = whole.at(-1);
      if (last && from <= last.to + BREAK) last.to = Math.max(last.to, to);
      else whole.push({ at, from, to });
    }
    return whole;
  });
}

function groupNear(rules: readonly Rule[], within: number): Rule[][] {
  const groups: Rule[][] = [];
  for (const rule of [...rules].sort((one, other) => one.at - other.at)) {
    const group = groups.at(-1);
    if (group && rule.at - group[0]!.at <= within) group.push(rule);
    else groups.push([rule]);
  }
  return groups;
}

export function distinct(numbers: readonly number[], within: number): number[] {
  const kept: number[] = [];
  for (const number of [...numbers].sort((a, b) => a - b))
    if (kept.length === 0 || number - kept.at(-1)! > within) kept.push(number);
  return kept;
}

/** Groups of lines that meet, each a table or drawing. */
export function meeting({ horizontal, vertical }: Rules): Rules[] {
  const group = [...horizontal, ...vertical].map((_, n) => n);
  const rootOf = (n: number): number => {
    let root = n;
    while (group[root] !== root) root = group[root]!;
    group[n] = root;
    return root;
  };
  horizontal.forEach((across, h) => {
    vertical.forEach((down, v) => {
      const meet =
        down.at >= across.from - BREAK &&
        down.at <= across.to + BREAK &&
        across.at >= down.from - BREAK &&
        across.at <= down.to + BREAK;
      if (meet) group[rootOf(h)] = rootOf(horizontal.length + v);
    });
  });
  const found = new Map<number, Rules>();
  const of = (n: number): Rules => {
    const root = rootOf(n);
    const rules = found.get(root) ?? { horizontal: [], vertical: [] };
    found.set(root, rules);
    return rules;
  };
  horizontal.forEach((rule, h) => of(h).horizontal.push(rule));
  vertical.forEach((rule, v) => of(horizontal.length + v).vertical.push(rule));
  return [...found.values()];
}
