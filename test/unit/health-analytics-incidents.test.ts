import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { IncidentDocument, NodeRun, VendorSyncs } from "../../services/health-analytics/collections.ts";
import { CALM_MS, findCauses, followCause, type Cause, type Spell } from "../../services/health-analytics/incidents.ts";
import { deriveNodeState } from "../../services/health-analytics/states.ts";
import { applySync } from "../../services/health-analytics/vendor-syncs.ts";
import { isLost } from "../../services/health-analytics/watch.ts";
import { degraded, hear, hearLeave, T0 } from "./health-analytics.support.ts";

const STEP = 5_000;

/** Incidents as the watch keeps them, turn by turn. */
class Book {
  readonly incidents = new Map<string, IncidentDocument>();

  turn(causes: readonly Cause[], now: number): IncidentDocument[] {
    const changed = causes.flatMap((cause) => followCause(cause, this.latest(cause), now));
    for (const incident of changed) this.incidents.set(incident._id, incident);
    return changed;
  }

  latest({ kind, subject }: Pick<Cause, "kind" | "subject">): IncidentDocument | undefined {
    return this.all()
      .filter((incident) => incident.kind === kind && incident.subject === subject)
      .at(-1);
  }

  all(): IncidentDocument[] {
    return [...this.incidents.values()].sort((one, other) => one.startedAt.getTime() - other.startedAt.getTime());
  }
}

const spell = (since: number, until: number | null, lastAt = until ?? since): Spell => ({
  since,
  until,
  lastAt,
  nodes: ["n"],
  entryPoints: [],
});
const dependency = (...spells: Spell[]): Cause => ({ kind: "dependency", subject: "order", spells });

/**
 * For each step, whether the dependency is missed; a run that hears all of that, and the incidents that are made of it
 * at each step.
 */
function lifeOf(missed: readonly boolean[], startedAt = T0 - 3_600_000): Book {
  const book = new Book();
  let run: NodeRun | undefined;
  for (const [index, isMissed] of missed.entries()) {
    const now = T0 + index * STEP;
    run = hear(run, index * STEP, { startedAt: new Date(startedAt), ...(isMissed ? degraded("order") : {}) });
    const causes = findCauses([run], now);
    book.turn(causes.length > 0 ? causes : [dependency()], now);
  }
  return book;
}

describe("An incident of a dependency", () => {
  it("opens when it was missed for three samples in a row, from the first of them, and ends with the first sample that has it", () => {
    const missed = [false, true, true, true, true, false];
    expect(lifeOf(missed.slice(0, 3)).all()).toEqual([]);
    expect(lifeOf(missed.slice(0, 4)).all()).toMatchObject([
      {
        kind: "dependency",
        subject: "order",
        nodes: ["shop-1"],
        entryPoints: ["payment"],
        startedAt: new Date(T0 + STEP),
        endedAt: null,
        isOpen: true,
      },
    ]);
    expect(lifeOf(missed).all()).toMatchObject([
      { startedAt: new Date(T0 + STEP), endedAt: new Date(T0 + 5 * STEP), isOpen: false, spells: 1 },
    ]);
  });

  it("is the same one when trouble comes back within a minute, and another after that", () => {
    const bad = [true, true, true];
    const calm = (steps: number): boolean[] => Array<boolean>(steps).fill(false);
    const again = lifeOf([...bad, ...calm(12), ...bad, ...calm(1)]).all();
    expect(again).toMatchObject([
      { spells: 2, startedAt: new Date(T0), endedAt: new Date(T0 + 18 * STEP), isOpen: false },
    ]);
    expect(lifeOf([...bad, ...calm(13), ...bad]).all()).toMatchObject([
      { spells: 1, isOpen: false },
      { spells: 1, isOpen: true },
    ]);
  });

  it("counts a dependency that comes and goes all the time as one", () => {
    const flapping = Array.from({ length: 300 }, (_, index) => index % 2 === 0);
    const [incident, ...more] = lifeOf(flapping).all();
    expect(more).toEqual([]);
    expect(incident).toMatchObject({ spells: 150, startedAt: new Date(T0) });
  });

  it("is none of what a start misses until it was there once, or for a minute", () => {
    const missed = [true, true, true, true, false, true, true, true];
    expect(lifeOf(missed.slice(0, 5), T0).all()).toEqual([]);
    expect(lifeOf(missed, T0).all()).toMatchObject([{ startedAt: new Date(T0 + 5 * STEP), spells: 1, isOpen: true }]);
    expect(lifeOf(Array<boolean>(15).fill(true), T0).all()).toMatchObject([
      { startedAt: new Date(T0 + 60_000), isOpen: true },
    ]);
  });

  it("is none of restarts one after another, each of which misses it at first", () => {
    const book = new Book();
    const runs: NodeRun[] = [];
    for (let start = 0; start < 4; start++) {
      let run: NodeRun | undefined;
      const facts = { node: `shop-${start}`, startedAt: new Date(T0 + start * 6 * STEP) };
      for (const [index, isMissed] of [true, true, false, false].entries()) {
        const ms = (start * 6 + index) * STEP;
        run = hear(run, ms, { ...facts, ...(isMissed ? degraded("order") : {}) });
        expect(deriveNodeState(run, T0 + ms)).toBe(isMissed ? "starting" : "up");
        book.turn(findCauses([...runs, run], T0 + ms), T0 + ms);
      }
      runs.push(hearLeave(run, (start * 6 + 4) * STEP, facts));
    }
    expect(book.all()).toEqual([]);
  });
});

describe("Any series of misses", () => {
  const lives = fc
    .array(fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 12 })
    .map((parts) => parts.flat());

  it("makes incidents that are more than a minute apart, of which at most the last is open, and which are open while the trouble lasts", () => {
    fc.assert(
      fc.property(lives, (missed) => {
        const incidents = lifeOf(missed).all();
        for (const [index, { startedAt, endedAt, isOpen, spells }] of incidents.entries()) {
          expect(isOpen).toBe(endedAt === null);
          expect(missed[(startedAt.getTime() - T0) / STEP]).toBe(true);
          expect(spells).toBeGreaterThan(0);
          if (endedAt) expect(missed[(endedAt.getTime() - T0) / STEP]).toBe(false);
          const next = incidents[index + 1];
          if (next) expect(next.startedAt.getTime() - endedAt!.getTime()).toBeGreaterThan(CALM_MS);
        }
        if (incidents.at(-1)?.isOpen) expect(missed.at(-1)).toBe(true);
        if (missed.slice(-3).every(Boolean) && missed.length >= 3) expect(incidents.at(-1)?.isOpen).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("changes nothing when it is looked at again, by any node", () => {
    const spells = fc.array(fc.tuple(fc.nat(600_000), fc.nat(120_000), fc.boolean()), { maxLength: 8 });
    fc.assert(
      fc.property(spells, (drawn) => {
        const now = 800_000;
        const cause = dependency(
          ...drawn.map(([since, length, lasts]) =>
            spell(since, lasts ? null : since + length, lasts ? now : since + length),
          ),
        );
        const one = new Book();
        one.turn([cause], now);
        expect(one.turn([cause], now)).toEqual([]);
        const other = new Book();
        other.turn([{ ...cause, spells: cause.spells.toReversed() }], now);
        expect(other.all()).toEqual(one.all());
      }),
      { numRuns: 300 },
    );
  });
});

describe("A node", () => {
  const first = hear(undefined, 0);
  const watch = { since: new Date(T0 - 60_000), listeningSince: new Date(T0 - 60_000) };

  it("is lost when it was silent for three intervals without a goodbye", () => {
    expect(isLost(first, watch, T0 + 15_000)).toBe(false);
    expect(isLost(first, watch, T0 + 15_001)).toBe(true);
    const stopped = hearLeave(first, STEP);
    expect(isLost(stopped, watch, T0 + 3_600_000)).toBe(false);
    expect(findCauses([stopped], T0 + 60_000)).toEqual([]);
  });

  it("is not lost because nobody listened, unless it watched itself", () => {
    const later = { since: new Date(T0 + 600_000), listeningSince: new Date(T0 + 600_000) };
    expect(isLost(first, later, T0 + 700_000)).toBe(false);
    const watcher: NodeRun = { ...first, services: ["health-analytics"] };
    expect(isLost(watcher, later, T0 + 610_000)).toBe(false);
    expect(isLost(watcher, later, T0 + 615_001)).toBe(true);
  });

  it("is lost only when it was silent for as long after a time in which nothing could be kept", () => {
    const resumed = { ...watch, since: new Date(T0 + 60_000) };
    expect(isLost(first, resumed, T0 + 75_000)).toBe(false);
    expect(isLost(first, resumed, T0 + 75_001)).toBe(true);
  });

  it("that is lost makes an incident until it is heard again", () => {
    const book = new Book();
    const lost: NodeRun = { ...first, lostAt: new Date(T0 + 16_000) };
    book.turn(findCauses([lost], T0 + 16_000), T0 + 16_000);
    expect(book.all()).toMatchObject([
      { kind: "node", nodes: ["shop-1"], entryPoints: ["payment"], startedAt: new Date(T0), isOpen: true },
    ]);
    const back = hear(lost, 30_000);
    expect(findCauses([back], T0 + 30_000)).toEqual([]);
    book.turn([{ kind: "node", subject: lost.role, spells: [] }], T0 + 30_000);
    expect(book.all()).toMatchObject([{ endedAt: new Date(T0 + 30_000), isOpen: false }]);
  });

  it("that nobody replaces is given up after a day", () => {
    const lost: NodeRun = { ...first, lostAt: new Date(T0 + 16_000) };
    const now = T0 + 86_400_000 + 5_000;
    const book = new Book();
    book.turn(findCauses([lost], T0 + 16_000), T0 + 16_000);
    book.turn(findCauses([lost], now), now);
    expect(book.all()).toMatchObject([{ endedAt: new Date(T0 + 86_400_000), isOpen: false }]);
  });
});

describe("Queues", () => {
  const hearQueue = (
    run: NodeRun | undefined,
    seconds: number,
    queue: { dead?: number; oldestAgeMs?: number },
  ): NodeRun => hear(run, seconds * 1_000, { queue: { outbox: 0, pending: 0, dead: 0, oldestAgeMs: 0, ...queue } });

  it("make an incident while the oldest event waits for more than a minute", () => {
    const book = new Book();
    let run = hearQueue(undefined, 0, { oldestAgeMs: 60_000 });
    expect(findCauses([run], T0)).toEqual([]);
    run = hearQueue(run, 5, { oldestAgeMs: 65_000 });
    book.turn(findCauses([run], T0 + 5_000), T0 + 5_000);
    expect(book.all()).toMatchObject([{ kind: "queue", isOpen: true, startedAt: new Date(T0 + 5_000) }]);
    run = hearQueue(run, 10, {});
    book.turn(findCauses([run], T0 + 10_000), T0 + 10_000);
    expect(book.all()).toMatchObject([{ isOpen: false, endedAt: new Date(T0 + 10_000) }]);
  });

  it("make an incident while dead letters grow, until five minutes without growth; those that lie there are none", () => {
    const book = new Book();
    let run = hearQueue(undefined, 0, { dead: 7 });
    expect(findCauses([run], T0)).toEqual([]);
    for (const [seconds, dead] of [
      [5, 8],
      [10, 8],
      [100, 9],
      [395, 9],
    ] as const) {
      run = hearQueue(run, seconds, { dead });
      const now = T0 + seconds * 1_000;
      book.turn(findCauses([run], now), now);
    }
    expect(book.all()).toMatchObject([{ kind: "dead-letters", isOpen: true, spells: 1 }]);
    run = hearQueue(run, 400, { dead: 9 });
    book.turn(findCauses([run], T0 + 400_000), T0 + 400_000);
    expect(book.all()).toMatchObject([
      { isOpen: false, startedAt: new Date(T0 + 5_000), endedAt: new Date(T0 + 400_000) },
    ]);
  });
});

describe("Syncs of a vendor", () => {
  const ended = (status: "completed" | "partially_failed" | "failed", seconds: number, vendor = "KMT") => ({
    vendor,
    status,
    at: new Date(T0 + seconds * 1_000),
  });
  const after = (...syncs: ReturnType<typeof ended>[]): VendorSyncs =>
    syncs.reduce<VendorSyncs | null>((known, sync) => applySync(known, sync) ?? known, null)!;

  it("make one incident from the end of the first that did not complete to the end of one that did", () => {
    const book = new Book();
    const turn = (seconds: number, ...syncs: ReturnType<typeof ended>[]): unknown =>
      book.turn(findCauses([], T0 + seconds * 1_000, [after(...syncs)]), T0 + seconds * 1_000);
    const told = [
      ended("completed", 0),
      ended("partially_failed", 100),
      ended("failed", 90_000),
      ended("completed", 180_000),
    ];
    turn(1, ...told.slice(0, 1));
    expect(book.all()).toEqual([]);
    turn(101, ...told.slice(0, 2));
    turn(90_001, ...told.slice(0, 3));
    const incident = { kind: "sync", subject: "KMT", startedAt: new Date(T0 + 100_000), spells: 1 };
    expect(book.all()).toMatchObject([{ ...incident, isOpen: true }]);
    turn(180_001, ...told);
    expect(book.all()).toMatchObject([{ ...incident, isOpen: false, endedAt: new Date(T0 + 180_000_000) }]);
    expect(turn(180_500, ...told)).toEqual([]);
  });

  it("end their incident when the vendor has had none for a week", () => {
    const causesAfter = (days: number) => findCauses([], T0 + days * 86_400_000, [after(ended("failed", 0))]);
    expect([6, 8].map((days) => causesAfter(days).length)).toEqual([1, 0]);
  });

  it("are separate by vendor", () => {
    const vendors = [after(ended("failed", 0)), after(ended("failed", 0, "BNS")), after(ended("completed", 0, "KOH"))];
    expect(findCauses([], T0, vendors)).toMatchObject([{ subject: "KMT" }, { subject: "BNS" }]);
  });

  it("change nothing when one is reported twice, or after a later one", () => {
    const known = after(ended("failed", 10), ended("completed", 20));
    for (const seconds of [5, 10, 20]) expect(applySync(known, ended("failed", seconds))).toBeUndefined();
  });
});
