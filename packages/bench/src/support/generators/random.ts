/** The same numbers for the same seed, on every machine and in every run. */
export interface Random {
  /** An integer from `from` to `to`, both included. */
  integer(from: number, to: number): number;
  pick<T>(values: readonly T[]): T;
  chance(probability: number): boolean;
  /**
   * Each character of the pattern: `0` any digit, `A` any letter (never I or O), anything else and what is in braces
   * itself.
   */
  code(pattern: string): string;
}

const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ";

export function randomFrom(seed: string): Random {
  const next = mulberry32(hash(seed));
  const integer = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  const pick = <T>(values: readonly T[]): T => values[integer(0, values.length - 1)]!;
  return {
    integer,
    pick,
    chance: (probability) => next() < probability,
    code: (pattern) =>
      pattern.replace(
        /\{([^}]*)\}|[0A]/g,
        (kind, fixed?: string) => fixed ?? (kind === "0" ? String(integer(0, 9)) : pick([...LETTERS])),
      ),
  };
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 0;
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
