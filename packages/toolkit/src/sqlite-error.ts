/**
 * The primary result codes of SQLite that mean that a file cannot be used, or a constraint. Source:
 * sqlite.org/rescode.html
 */
export const SQLITE = {
  BUSY: 5,
  LOCKED: 6,
  NOMEM: 7,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  PROTOCOL: 15,
  CONSTRAINT: 19,
  NOTADB: 26,
} as const;

function getSqliteCode(error: unknown): number | undefined {
  const code: unknown = typeof error === "object" && error !== null && "errcode" in error ? error.errcode : undefined;
  return typeof code === "number" ? code & 0xff : undefined;
}

/** Another connection has the file locked. */
export function isBusy(error: unknown): boolean {
  const code = getSqliteCode(error);
  return code === SQLITE.BUSY || code === SQLITE.LOCKED;
}

const UNAVAILABLE = new Set<number>(Object.values(SQLITE).filter((code) => code !== SQLITE.CONSTRAINT));

/** The file cannot be used now: full, locked, unreadable. */
export function isUnavailable(error: unknown): boolean {
  const code = getSqliteCode(error);
  return code !== undefined && UNAVAILABLE.has(code);
}

/** Returns whether the file is not a database, or a broken one. */
export function isDamaged(error: unknown): boolean {
  const code = getSqliteCode(error);
  return code === SQLITE.CORRUPT || code === SQLITE.NOTADB;
}

export function isConstraint(error: unknown): boolean {
  return getSqliteCode(error) === SQLITE.CONSTRAINT;
}
