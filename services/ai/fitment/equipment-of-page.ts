import type { ManualFile, ManualPart } from "../../shared/manual-objects.ts";
import { modelKey, Models } from "../../../mixins/fitment-index/models.ts";

/** Models that a manual is for, each in its own first spelling; what it calls itself where it names none. */
export function equipmentOf({
  equipment,
  title,
  filename,
}: Pick<ManualFile, "equipment" | "title" | "filename">): string[] {
  const names = equipment.map((name) => name.trim()).filter((name) => name !== "");
  const named = new Map<string, string>();
  for (const name of names) if (!named.has(modelKey(name) || name)) named.set(modelKey(name) || name, name);
  if (named.size > 0) return [...named.values()];
  return [title.trim() || filename.replace(/\.pdf$/i, "")];
}

/** What a manual is for. */
export type EquipmentOfManual = Pick<ManualFile, "manufacturer"> & { equipment: readonly string[] };

/**
 * Which models of its manual a page is for: those that it names, where they are not all of them; undefined is all. A
 * model of something else, its engine say, narrows nothing.
 */
export function narrowing(manual: EquipmentOfManual): (models: readonly string[]) => string[] | undefined {
  const known = modelsOf(manual);
  return (models) => {
    const named = new Set(models.flatMap((model) => known.namedIn(model)).map(({ equipment }) => equipment));
    return named.size === 0 || named.size === manual.equipment.length ? undefined : [...named];
  };
}

/**
 * The models that are on it, each with how many there are where the row says so; undefined where it says nothing of any
 * model of the manual.
 */
export type QuantityOfModels = (
  quantities: NonNullable<ManualPart["quantities"]>,
) => Map<string, number | undefined> | undefined;

/**
 * Reads what a row says of each model. What columns do not name, they say nothing of: the part is not known to be
 * there.
 */
export function quantitiesBy(manual: EquipmentOfManual): QuantityOfModels {
  const known = modelsOf(manual);
  return (quantities) => {
    const told = quantities.flatMap(({ model, quantity }) =>
      known.namedIn(model).map(({ equipment }) => [equipment, quantity] as const),
    );
    return told.length === 0 ? undefined : new Map(told.filter(([, quantity]) => quantity !== 0));
  };
}

function modelsOf({ equipment, manufacturer }: EquipmentOfManual): Models {
  return new Models(
    equipment.map((each) => ({ equipment: each, ...(manufacturer === undefined ? {} : { manufacturer }) })),
  );
}
