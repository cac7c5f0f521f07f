import type { ManualFile, ModelQuantity } from "@partline/manual-reader";
import { modelKey, Models } from "@partline/parts-search";

/** Returns a manual's models, each in its first spelling; its title if it names none. */
export function equipmentOf({
  equipment,
  title,
  filename,
}: Pick<ManualFile, "equipment" | "title" | "filename">): string[] {
  const names = equipment.map((name) => name.trim()).filter((name) => name !== "");
  const named = [...Map.groupBy(names, (name) => modelKey(name) || name).values()].map(([first]) => first!);
  return named.length > 0 ? named : [title.trim() || filename.replace(/\.pdf$/i, "")];
}

/** The equipment of a manual. */
export type EquipmentOfManual = Pick<ManualFile, "manufacturer"> & { equipment: readonly string[] };

/** Maps models named on a page to models of the manual; undefined is all. A model of its engine is none. */
export function narrowing(manual: EquipmentOfManual): (models: readonly string[]) => string[] | undefined {
  const known = modelsOf(manual);
  return (models) => {
    const named = new Set(models.flatMap((model) => known.namedIn(model)).map(({ equipment }) => equipment));
    return named.size === 0 || named.size === manual.equipment.length ? undefined : [...named];
  };
}

export type QuantityOfModels = ReturnType<typeof quantitiesBy>;

/**
 * Maps a row's quantities to models of the manual; undefined if the row names none of them. A model without a column
 * does not have the part.
 */
export function quantitiesBy(manual: EquipmentOfManual) {
  const known = modelsOf(manual);
  return (quantities: readonly ModelQuantity[]): Map<string, number | undefined> | undefined => {
    const told = quantities.flatMap(({ model, quantity }) =>
      known.namedIn(model).map(({ equipment }) => [equipment, quantity] as const),
    );
    return told.length === 0 ? undefined : new Map(told.filter(([, quantity]) => quantity !== 0));
  };
}

function modelsOf({ equipment, manufacturer }: EquipmentOfManual): Models {
  return new Models(equipment.map((each) => ({ equipment: each, manufacturer })));
}
