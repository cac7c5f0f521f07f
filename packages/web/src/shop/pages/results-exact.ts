import type { FitmentModel, PartPreview } from "@partline/client";

const toPlain = (text: string): string => text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");

/**
 * Returns the part whose number the whole text is, in any spelling; undefined if several have it, or stand in for it.
 */
export function findExactPart<Part extends Pick<PartPreview, "partNumber" | "sku" | "manufacturer" | "replaces">>(
  text: string,
  parts: readonly (Part & Pick<PartPreview, "interchangeOf">)[],
): Part | undefined {
  const typed = toPlain(text);
  if (!/\d/.test(typed) || parts.some(({ interchangeOf, replaces }) => interchangeOf ?? replaces)) return undefined;
  const exactParts = parts.filter(({ partNumber, sku, manufacturer: { code, name } }) =>
    [partNumber, sku, code + partNumber, name + partNumber].some((number) => toPlain(number) === typed),
  );
  return exactParts.length === 1 ? exactParts[0] : undefined;
}

/** Whether the whole text is the machine's name, with its maker or without. */
export function isMachineName(text: string, { equipment, manufacturer }: FitmentModel): boolean {
  return [equipment, `${manufacturer ?? ""}${equipment}`].some((name) => toPlain(name) === toPlain(text));
}
