import type { InferRules, Rules } from "./rules.ts";

export type PersonalField<R> = { [K in keyof R & string]: R[K] extends { personal: true } ? K : never }[keyof R &
  string];

/** Returns the names of the fields marked `personal`, for erasure and export. */
export function listPersonalFields<R extends Rules>(fields: R): PersonalField<R>[] {
  return Object.keys(fields).filter((name): name is PersonalField<R> => fields[name]!.personal === true);
}

export function pickPersonalRules<R extends Rules>(fields: R): Pick<R, PersonalField<R>> {
  return Object.fromEntries(listPersonalFields(fields).map((name) => [name, fields[name]])) as Pick<
    R,
    PersonalField<R>
  >;
}

export function omitPersonal<T extends object>(fields: Rules, document: T): T {
  const personal = new Set<string>(listPersonalFields(fields));
  return Object.fromEntries(Object.entries(document).filter(([name]) => !personal.has(name))) as T;
}

/** Returns the values of the personal fields, for an export to their owner. */
export function pickPersonal<R extends Rules>(
  fields: R,
  document: InferRules<Pick<R, PersonalField<R>>>,
): InferRules<Pick<R, PersonalField<R>>> {
  const values = document as Record<string, unknown>;
  const presentNames = listPersonalFields(fields).filter((name) => values[name] !== undefined);
  return Object.fromEntries(presentNames.map((name) => [name, values[name]])) as typeof document;
}
