/** States of a node, a service or an entry point. */
export const STATES = ["up", "degraded", "down", "starting", "stopped", "gone"] as const;
export type State = (typeof STATES)[number];

/** Lengths of the slots of a history. */
export const INTERVALS = ["minute", "hour", "day"] as const;
export type Level = (typeof INTERVALS)[number];
