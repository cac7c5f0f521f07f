/**
 * What goes on in this process for each reading, and for files that a job fetches, so that it can be stopped in the
 * middle.
 */
export interface Stops {
  /** Runs a piece of work with a signal that `stop` aborts. */
  during<T>(subject: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  stop(subject: string): void;
  /** This process ends: what goes on is stopped, and so is whatever comes. */
  leave(): void;
}

/** Work was stopped on purpose; nobody waits for its result. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}

/** Work was stopped since its process ends; another one does it. */
export class Leaving extends Error {
  override readonly name = "Leaving";
}

export function createStops(): Stops {
  const underWay = new Map<string, Set<AbortController>>();
  let isLeaving = false;
  const leave = (controller: AbortController): void => controller.abort(new Leaving("Its process ends"));
  return {
    during: async (subject, work) => {
      const controller = new AbortController();
      const others = underWay.get(subject) ?? new Set();
      underWay.set(subject, others.add(controller));
      if (isLeaving) leave(controller);
      try {
        return await work(controller.signal);
      } finally {
        others.delete(controller);
        if (others.size === 0) underWay.delete(subject);
      }
    },
    stop: (subject) => {
      for (const controller of underWay.get(subject) ?? []) controller.abort(new Stopped("It was stopped"));
    },
    leave: () => {
      isLeaving = true;
      for (const controllers of underWay.values()) for (const controller of controllers) leave(controller);
    },
  };
}
