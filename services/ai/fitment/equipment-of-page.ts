import type { ManualFile, ManualPart } from "../../shared/manual-objects.ts";
import { modelKey, Models } from "../../../mixins/fitment-index/models.ts";

/** Returns a manual's models, each in its first spelling; its title if it names none. */
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

/** The equipment of a manual. */
export type EquipmentOfManual = Pick<ManualFile, "manufacturer"> & { equipment: readonly string[] };

/**
 * Returns the rule that maps the models named on a page to models of the manual; undefined is all of them. A model of
 * something else (its engine) narrows nothing.
 */
export function narrowing(manual: EquipmentOfManual): (models: readonly string[]) => string[] | undefined {
  const known = modelsOf(manual);
  return (models) => {
    const named = new Set(models.flatMap((model) => known.namedIn(model)).map(({ equipment }) => equipment));
    return named.size === 0 || named.size === manual.equipment.length ? undefined : [...named];
  };
}

/**
 * Maps a row's quantities to models of the manual; undefined if the row names none of them.
 */
export type QuantityOfModels = (
  quantities: NonNullable<ManualPart["quantities"]>,
) => Map<string, number | undefined> | undefined;

/**
 * Returns the rule that reads a row's quantity for each model. A model without a column does not have the part.
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
  return new Models(equipment.map((each) => ({ equipment: each, manufacturer })));
}
