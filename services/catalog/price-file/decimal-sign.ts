/** The sign between the whole and the fraction of an amount; the other one groups thousands. */
export type DecimalSign = "." | ",";

const FORMS = [".", ","].map((sign) => {
  const [decimal, group] = sign === "." ? [String.raw`\.`, ","] : [",", String.raw`\.`];
  // A group never begins with 0: 0,125 is no thousand.
  const grouped = String.raw`[1-9]\d{0,2}(?:${group}\d{3})+`;
  return {
    sign: sign as DecimalSign,
    amount: new RegExp(String.raw`^(?:${grouped}|\d+)(?:${decimal}\d+)?$`),
  };
});

/** Returns the signs by which a text can be read as an amount: one, both of `1250` and `1,250`, or none. */
function findFittingSigns(text: string): DecimalSign[] {
  return FORMS.filter(({ amount }) => amount.test(text)).map(({ sign }) => sign);
}

/** Finds the sign that a column's amounts have, by those that can only be read one way. Undefined if they differ. */
export function findDecimalSign(amounts: Iterable<string>): DecimalSign | undefined {
  const clearSigns = new Set<DecimalSign>();
  for (const text of amounts) {
    const signs = findFittingSigns(stripAmount(text));
    if (signs.length === 1) clearSigns.add(signs[0]!);
  }
  return clearSigns.size === 1 ? [...clearSigns][0] : undefined;
}

/** Returns the amount with a point and without groups, as `1234.5`, or why it cannot be read. */
export function readAmount(text: string, sign: DecimalSign | undefined): { amount: string } | "invalid" | "ambiguous" {
  const bare = stripAmount(text);
  const signs = findFittingSigns(bare).filter((candidate) => sign === undefined || candidate === sign);
  const readings = new Set(
    signs.map((candidate) => bare.replaceAll(candidate === "." ? "," : ".", "").replace(",", ".")),
  );
  if (readings.size > 1) return "ambiguous";
  const [amount] = readings;
  return amount === undefined ? "invalid" : { amount };
}

function stripAmount(text: string): string {
  return text.trim().replace(/^\$\s*/, "");
}
