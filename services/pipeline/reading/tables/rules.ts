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

function groupNear<T extends { at: number }>(rules: readonly T[], within: number): T[][] {
  const groups: T[][] = [];
  for (const rule of [...rules].sort((one, other) => one.at - other.at)) {
    const group = groups.at(-1);
    if (group && rule.at - group[0]!.at <= within) group.push(rule);
    else groups.push([rule]);
  }
  return groups;
}

/** The first of each group of numbers near each other. */
export function distinct(numbers: readonly number[], within: number): number[] {
  return groupNear(
    numbers.map((at) => ({ at })),
    within,
  ).map(([first]) => first!.at);
}

/** Disjoint sets of numbers from 0; the least of each stands for it. */
export function disjoint(count: number) {
  const parents = Array.from({ length: count }, (_, n) => n);
  const rootOf = (n: number): number => {
    let root = n;
    while (parents[root] !== root) root = parents[root]!;
    parents[n] = root;
    return root;
  };
  const join = (one: number, other: number): void => {
    const [a, b] = [rootOf(one), rootOf(other)];
    parents[Math.max(a, b)] = Math.min(a, b);
  };
  return { rootOf, join };
}

/** Groups of lines that meet, each a table or drawing. */
export function meeting({ horizontal, vertical }: Rules): Rules[] {
  const { rootOf, join } = disjoint(horizontal.length + vertical.length);
  horizontal.forEach((across, h) => {
    vertical.forEach((down, v) => {
      const meet =
        down.at >= across.from - BREAK &&
        down.at <= across.to + BREAK &&
        across.at >= down.from - BREAK &&
        across.at <= down.to + BREAK;
      if (meet) join(h, horizontal.length + v);
    });
  });
  const all = [...horizontal, ...vertical].map((rule, n) => ({ rule, n }));
  return [...Map.groupBy(all, ({ n }) => rootOf(n)).values()].map((group) => ({
    horizontal: group.flatMap(({ rule, n }) => (n < horizontal.length ? [rule] : [])),
    vertical: group.flatMap(({ rule, n }) => (n < horizontal.length ? [] : [rule])),
  }));
}
