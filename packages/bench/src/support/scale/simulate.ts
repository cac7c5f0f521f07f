import { randomFrom } from "../generators/random.ts";
import { percentile } from "../statistics.ts";

/** Works, first come, first served. Stations of a group take turns, each with an operation as a whole. */
export interface Station {
  group: string;
  servers: number;
  /** Of a processor, for each server. */
  speed: number;
  /** Cost of work that so many wait beside, as a share of the cost of work that comes alone; of fewer in proportion. */
  busy?: { waiting: number; share: number };
  /** Who waits at the same station of this group is served together. */
  together?: string;
  /** From when until when it is gone. What is with it fails. */
  away?: { from: number; until: number };
}

/** Work at a station of a group, or inner steps that hold it. Without such a station, time passes. */
export interface Step {
  group: string;
  seconds: number;
  inner?: readonly Step[];
}

export interface Flow {
  name: string;
  steps: readonly Step[];
  /** Begins with the answer; nobody waits for it. */
  following: readonly Step[];
  /** Factors on the seconds of an operation, the mean of which is 1. */
  spread: readonly number[] | "exponential";
}

export interface Scenario {
  stations: readonly Station[];
  /** Of a visit, one after another. Each client visits again and again. */
  flows: readonly Flow[];
  load: { clients: number } | { perSecond: number };
  seconds: number;
  /** Not counted in times and throughput, seconds. */
  warmUp?: number;
  /** Whether what is under way at the end is finished. */
  drains?: boolean;
  seed: string;
}

export interface Simulated {
  /** Visits. */
  arrivals: number;
  completions: number;
  failures: number;
  waiting: number;
  perSecond: number;
  /** Visits under way, over time, and the seconds of each that has ended. */
  meanUnderWay: number;
  meanSeconds: number;
  endedAt: number;
  /** By flow. */
  times: Record<string, { p50: number; p99: number }>;
  /** Of the busiest station of each group. */
  utilisation: Record<string, number>;
}

interface Place extends Station {
  queue: (() => void)[];
  working: number;
  workSeconds: number;
  boats: Map<Place | undefined, (() => void)[]>;
}

/** What a process of the simulation waits for: calls back when it is there. */
type Wait = (resume: () => void) => void;
type Work = Generator<Wait, void, void>;

interface Job {
  factor: number;
  places: Map<string, Place>;
}

class LossOfNode extends Error {}

/** Runs a deployment event by event; the same seed gives the same result. */
export function runScenario({ stations, flows, load, seconds, warmUp = 0, drains, seed }: Scenario): Simulated {
  const random = randomFrom(seed);
  const draw = (): number => random.integer(1, 2 ** 30) / 2 ** 30;
  const drawExponential = (): number => -Math.log(draw());
  const places = stations.map((station): Place => ({
    ...station,
    queue: [],
    working: 0,
    workSeconds: 0,
    boats: new Map(),
  }));
  const groups = Map.groupBy(places, ({ group }) => group);
  const turns = new Map<string, number>();
  const agenda = createAgenda();
  const times = new Map(flows.map(({ name }) => [name, [] as number[]]));
  let [arrivals, completions, failures, counted] = [0, 0, 0, 0];
  let [now, visiting, area, areaAt, totalSeconds] = [0, 0, 0, 0, 0];

  const wait =
    (duration: number): Wait =>
    (resume) =>
      agenda.add(now + duration, resume);
  const isCounted = (): boolean => now >= warmUp && now < seconds;
  const failIfAway = ({ away }: Place): void => {
    if (away && now >= away.from && now < away.until) throw new LossOfNode();
  };
  const changeVisiting = (difference: 1 | -1): void => {
    area += visiting * (now - areaAt);
    [areaAt, visiting] = [now, visiting + difference];
  };

  function choosePlace({ places: chosenPlaces }: Job, group: string): Place | undefined {
    const chosen = chosenPlaces.get(group);
    if (chosen) return chosen;
    const candidates = groups.get(group)?.filter(({ away }) => !away || now < away.from || now >= away.until);
    if (!candidates) return undefined;
    const turn = turns.get(group) ?? 0;
    turns.set(group, turn + 1);
    const place = candidates[turn % candidates.length];
    if (!place) throw new LossOfNode();
    chosenPlaces.set(group, place);
    return place;
  }

  function* takeStep(job: Job, step: Step): Work {
    const place = choosePlace(job, step.group);
    const duration = step.seconds * job.factor;
    if (!place) return yield wait(duration);
    if (place.together === undefined) return yield* useServer(job, place, step);
    const origin = job.places.get(place.together);
    const boat = place.boats.get(origin);
    if (boat) return yield (resume) => boat.push(resume);
    const joining: (() => void)[] = [];
    place.boats.set(origin, joining);
    try {
      yield* useServer(job, place, step);
    } finally {
      // Those of a turn that is lost go on without it.
      if (place.boats.get(origin) === joining) place.boats.delete(origin);
      for (const resume of joining) agenda.add(now, resume);
    }
  }

  function* useServer(job: Job, place: Place, { seconds: cost, inner = [] }: Step): Work {
    failIfAway(place);
    if (place.working >= place.servers) yield (resume) => place.queue.push(resume);
    else place.working += 1;
    if (place.together !== undefined) place.boats.delete(job.places.get(place.together));
    const { waiting, share } = place.busy ?? { waiting: 1, share: 1 };
    const work = cost * job.factor * (1 - (1 - share) * Math.min(1, place.queue.length / waiting));
    const startedAt = now;
    try {
      failIfAway(place);
      if (work > 0) yield wait(work / place.speed);
      for (const step of inner) yield* takeStep(job, step);
      if (isCounted()) place.workSeconds += inner.length > 0 ? now - startedAt : work;
      failIfAway(place);
    } finally {
      const resumeNext = place.queue.shift();
      if (resumeNext) agenda.add(now, resumeNext);
      else place.working -= 1;
    }
  }

  function* follow(job: Job, steps: readonly Step[]): Work {
    for (const step of steps) yield* takeStep(job, step);
  }

  function* visit(): Work {
    const startedAt = now;
    arrivals += 1;
    changeVisiting(1);
    try {
      for (const { name, steps, following, spread } of flows) {
        const factor = spread === "exponential" ? drawExponential() : random.pick(spread);
        const job: Job = { factor, places: new Map() };
        const sentAt = now;
        yield* follow(job, steps);
        if (sentAt >= warmUp) times.get(name)?.push(now - sentAt);
        run(follow(job, following));
      }
      completions += 1;
      if (isCounted()) counted += 1;
    } catch (error) {
      if (!(error instanceof LossOfNode)) throw error;
      failures += 1;
    }
    changeVisiting(-1);
    totalSeconds += now - startedAt;
  }

  function* visitRepeatedly(): Work {
    yield wait(draw());
    while (now < seconds) {
      const failuresSoFar = failures;
      yield* visit();
      if (failures > failuresSoFar) yield wait(0.1);
    }
  }

  function* sendVisitors(perSecond: number): Work {
    for (;;) {
      yield wait(drawExponential() / perSecond);
      if (now >= seconds) return;
      run(visit());
    }
  }

  function run(work: Work): void {
    const resume = (): void => {
      try {
        const { value, done } = work.next();
        if (!done) value(resume);
      } catch (error) {
        // Nobody waits for what follows an answer.
        if (!(error instanceof LossOfNode)) throw error;
      }
    };
    resume();
  }

  if ("perSecond" in load) run(sendVisitors(load.perSecond));
  else for (let client = 0; client < load.clients; client++) run(visitRepeatedly());
  for (let event = agenda.take(); event && (drains || event.at <= seconds); event = agenda.take()) {
    now = event.at;
    event.resume();
  }
  area += visiting * (now - areaAt);
  const period = seconds - warmUp;
  return {
    ...{ arrivals, completions, failures, waiting: visiting },
    perSecond: counted / period,
    meanUnderWay: area / now,
    meanSeconds: totalSeconds / (completions + failures),
    endedAt: now,
    times: Object.fromEntries(
      [...times].map(([name, values]) => {
        const sorted = Float64Array.from(values).sort();
        return [name, { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }];
      }),
    ),
    utilisation: Object.fromEntries(
      [...groups].map(([group, members]) => [
        group,
        Math.max(...members.map(({ workSeconds, speed, servers }) => workSeconds / (speed * servers * period))),
      ]),
    ),
  };
}

interface Event {
  at: number;
  order: number;
  resume(): void;
}

/** What is to happen, the earliest first: a binary heap. What is at one moment keeps its order. */
function createAgenda() {
  const heap: Event[] = [];
  let count = 0;
  const isBefore = (index: number, otherIndex: number): boolean => {
    const [event, otherEvent] = [heap[index], heap[otherIndex]];
    if (!event || !otherEvent) return event !== undefined;
    return event.at < otherEvent.at || (event.at === otherEvent.at && event.order < otherEvent.order);
  };
  const swap = (index: number, otherIndex: number): void => {
    const [event, otherEvent] = [heap[index], heap[otherIndex]];
    if (event && otherEvent) [heap[index], heap[otherIndex]] = [otherEvent, event];
  };
  return {
    add: (time: number, resume: () => void): void => {
      let index = heap.push({ at: time, order: count++, resume }) - 1;
      for (let parent = (index - 1) >> 1; index > 0 && isBefore(index, parent); parent = (index - 1) >> 1) {
        swap(index, parent);
        index = parent;
      }
    },
    take: (): Event | undefined => {
      swap(0, heap.length - 1);
      const first = heap.pop();
      for (let index = 0, child = 1; child < heap.length; child = 2 * index + 1) {
        if (isBefore(child + 1, child)) child += 1;
        if (!isBefore(child, index)) break;
        swap(index, child);
        index = child;
      }
      return first;
    },
  };
}
