/** What came of a request to a writer thread. Values and errors travel as JSON text. */
export type Outcome<T, Wire> = { ok: true; value: T } | { ok: false; error: Wire };
