import type { ReadManual } from "../manuals.ts";
import { modelKey, Models } from "./models.ts";

/** Models that a manual is for, each in its own first spelling; what it calls itself where it names none. */
export function equipmentOf({ equipment, title, filename }: Pick<ReadManual, "equipment" | "title" | "filename">): string[] {
  const names = equipment.map((name) => name.trim()).filter((name) => name !== "");
  const named = new Map<string, string>();
  for (const name of names) if (!named.has(modelKey(name) || name)) named.set(modelKey(name) || name, name);
  if (named.size > 0) return [...named.values()];
  return [title.trim() || filename.replace(/\.pdf$/i, "")];
}

/**
 * Which models of its manual a page is for: those that it names, where they are not all of them; undefined is all. A model of
 * something else, its engine say, narrows nothing.
 */
export function narrowing(manual: Pick<ReadManual, "manufacturer"> & { equipment: readonly string[] }): (models: readonly string[]) => string[] | undefined {
  const known = new Models(manual.equipment.map((equipment) => ({ equipment, ...(manual.manufacturer === undefined ? {} : { manufacturer: manual.manufacturer }) })));
  return (models) => {
    const named = new Set(models.flatMap((model) => known.namedIn(model)).map(({ equipment }) => equipment));
    return named.size === 0 || named.size === manual.equipment.length ? undefined : [...named];
  };
}
