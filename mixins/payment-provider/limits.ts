/** One try; with one retry and its pause a request ends within `PROVIDER_DEADLINE_MS`. */
export const TRY_TIMEOUT_MS = 6_000;
export const RETRIES = 1;

/** Longest duration of `request`, ms: the least timeout of an action that calls the provider. */
export const PROVIDER_DEADLINE_MS = 15_000;
