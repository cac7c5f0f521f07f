const LONGEST = 200;

/** The name of a file as its sender says, without its path: data to show that never becomes a path. */
export function baseNameOf(given: string | undefined): string {
  const base = (given ?? "").split(/[/\\]/).at(-1)!;
  const shown = base
    .toWellFormed()
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .trim();
  const short = [...shown].slice(0, LONGEST).join("");
  return /^\.*$/.test(short) ? "manual.pdf" : short;
}
