import type { Settings, SettingsChangeParams } from "@partline/client";
import type { RaRecord } from "react-admin";
import { newId } from "../../shared/new-id.ts";
import { partline } from "../partline.ts";

type Place = Settings["pickupPlaces"][number];
type FormPlace = Partial<Omit<Place, "address" | "hours">> & { address?: string | null; hours?: string | null };

/** The settings as the form has them: a list is a text with a line for each. */
export type SettingsRecord = Omit<Settings, "address" | "openingHours" | "workHours" | "taxIds" | "pickupPlaces"> & {
  id: string;
  address: string | null;
  openingHours: string | null;
  workHours: string | null;
  taxIds: string | null;
  pickupPlaces: FormPlace[] | null;
};

export const readSettings = async (): Promise<RaRecord> => toRecord(await partline.settings.get());

export async function changeSettings(_recordId: string, data: Partial<RaRecord>): Promise<RaRecord> {
  const { id: _shop, pinned: _pins, pickupPlaces, ...fields } = data as SettingsRecord;
  const changes = {
    ...fields,
    address: toLines(fields.address),
    openingHours: toLines(fields.openingHours),
    workHours: toLines(fields.workHours),
    taxIds: toLines(fields.taxIds),
    pickupPlaces: (pickupPlaces ?? []).map(({ id, name, address, hours }) => ({
      // Orders know a place by it.
      id: id ?? newId(),
      name: name ?? "",
      address: toLines(address),
      hours: toLines(hours),
    })),
  };
  return toRecord(await partline.settings.change(changes satisfies SettingsChangeParams));
}

function toRecord(settings: Settings): SettingsRecord {
  const { address, openingHours, workHours, taxIds, pickupPlaces } = settings;
  return {
    ...settings,
    id: "shop",
    address: address.join("\n"),
    openingHours: openingHours.join("\n"),
    workHours: workHours.join("\n"),
    taxIds: taxIds.join("\n"),
    pickupPlaces: pickupPlaces.map((place) => ({
      ...place,
      address: place.address.join("\n"),
      hours: place.hours.join("\n"),
    })),
  };
}

export function toLines(text: string | null | undefined): string[] {
  return (text ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
