/** Lower case, without accents. */
export function fold(text: string): string {
  // Most text is plain, and then there is nothing to decompose.
  const plain = /^[ -~]*$/.test(text) ? text : text.normalize("NFKD").replace(/\p{M}/gu, "");
  return plain.toLowerCase();
}

/** A name as it is compared: `Briggs & Stratton`, `BRIGGS  & STRATTON` and `briggs&stratton` are the same. */
export function foldName(name: string): string {
  return fold(name).replace(/[^\p{L}\p{N}&]+/gu, "");
}
