const LONGEST = 200;

/** Returns a sender's name of a file without its path: data to show that never becomes a path. */
export function toBaseName(filename: string | undefined): string {
  const base = (filename ?? "").split(/[/\\]/).at(-1)!;
  const printable = base
    .toWellFormed()
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .trim();
  const short = [...printable].slice(0, LONGEST).join("");
  return /^\.*$/.test(short) ? "manual.pdf" : short;
}
