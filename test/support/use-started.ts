import { afterAll, beforeAll } from "@jest/globals";
import { joinSystem } from "./shared-system.ts";
import type { SystemClient } from "./system.ts";

/**
 * Starts something before the tests of a file or a `describe`, and ends it after them. Its fields are there while they
 * run.
 */
export function useStarted<T extends { stop(): Promise<unknown> }>(start: () => Promise<T>): T {
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.stop());
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(started!, name) as unknown,
    has: (_, name) => Reflect.has(started!, name),
  });
}

/** The shared system of the mode, for all tests of a file: see `joinSystem`. */
export function useSystem(): SystemClient {
  return useStarted(async () => {
    const { system, end } = await joinSystem();
    return { ...system, stop: end };
  });
}
