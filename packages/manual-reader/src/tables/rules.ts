import type { Box } from "../page.ts";

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

export function sortRules(lines: readonly Box[]): Rules {
  const horizontal: Rule[] = [];
  const vertical: Rule[] = [];
  for (const { x, y, width, height } of lines) {
    if (width >= height) horizontal.push({ at: y + height / 2, from: x, to: x + width });
    else vertical.push({ at: x + width / 2, from: y, to: y + height });
  }
  return {
    horizontal: joined(horizontal).filter(({ from, to }) => to - from >= SHORTEST_ACROSS),
    vertical: joined(vertical).filter(({ from, to }) => to - from >= SHORTEST_DOWN),
  };
}

function joined(rules: readonly Rule[]): Rule[] {
  return groupNear(rules, NEAR).flatMap((group) => {
    const middle = group.reduce((sum, rule) => sum + rule.at, 0) / group.length;
    const joinedRules: Rule[] = [];
    for (const { from, to } of [...group].sort((left, right) => left.from - right.from)) {
      const last = joinedRules.at(-1);
      if (last && from <= last.to + BREAK) last.to = Math.max(last.to, to);
      else joinedRules.push({ at: middle, from, to });
    }
    return joinedRules;
  });
}

export function groupNear<T extends { at: number }>(rules: readonly T[], within: number): T[][] {
  const groups: T[][] = [];
  for (const rule of [...rules].sort((left, right) => left.at - right.at)) {
    const group = groups.at(-1);
    if (group && rule.at - group[0]!.at <= within) group.push(rule);
    else groups.push([rule]);
  }
  return groups;
}

/** Disjoint sets of numbers from 0; the least of each stands for it. */
export function disjoint(count: number) {
  const parents = Array.from({ length: count }, (_, n) => n);
  const findRoot = (n: number): number => {
    let root = n;
    while (parents[root] !== root) root = parents[root]!;
    parents[n] = root;
    return root;
  };
  const join = (left: number, right: number): void => {
    const [a, b] = [findRoot(left), findRoot(right)];
    parents[Math.max(a, b)] = Math.min(a, b);
  };
  return { findRoot, join };
}

/** Groups of lines that meet, each a table or drawing. */
export function meeting({ horizontal, vertical }: Rules): Rules[] {
  const { findRoot, join } = disjoint(horizontal.length + vertical.length);
  const reaches = ({ from, to }: Rule, { at: position }: Rule): boolean =>
    position >= from - BREAK && position <= to + BREAK;
  horizontal.forEach((across, h) => {
    vertical.forEach((down, v) => {
      if (reaches(across, down) && reaches(down, across)) join(h, horizontal.length + v);
    });
  });
  const across = Map.groupBy(horizontal, (_, h) => findRoot(h));
  const down = Map.groupBy(vertical, (_, v) => findRoot(horizontal.length + v));
  const roots = new Set([...across.keys(), ...down.keys()]);
  return [...roots].map((root) => ({ horizontal: across.get(root) ?? [], vertical: down.get(root) ?? [] }));
}
