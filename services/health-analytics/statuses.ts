export const STATES = ["up", "degraded", "down", "starting", "stopped", "gone"] as const;
export type State = (typeof STATES)[number];

export const INTERVALS = ["minute", "hour", "day"] as const;
export type Level = (typeof INTERVALS)[number];
