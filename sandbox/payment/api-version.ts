/** The version of the provider's API whose shapes the sandbox speaks: the one that the `stripe` package in use pins. */
export const API_VERSION = "2026-10-28.endive";
