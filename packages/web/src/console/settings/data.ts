import type { Settings, SettingsChangeParams } from "@partline/client";
import type { RaRecord } from "react-admin";
import { setShopTimeZone } from "../../../../../mixins/shop/shop-days.ts";
import { newId } from "../../shared/new-id.ts";
import { partline } from "../partline.ts";

type Place = Settings["pickupPlaces"][number];
type FormPlace = Partial<Omit<Place, "address" | "hours">> & { address?: string | null; hours?: string | null };

type Table = Settings["shippingTable"];
type Zone = Table["zones"][number];
type FormZone = Omit<Zone, "countries" | "regions" | "postalCodes"> & {
  countries?: string | null;
  regions?: string | null;
  postalCodes?: string | null;
};

/** The settings as the form has them: a list is a text with a line for each, and a list of codes has commas. */
export type SettingsRecord = Omit<
  Settings,
  "address" | "openingHours" | "workHours" | "taxIds" | "pickupPlaces" | "mailSender" | "shippingTable"
> & {
  id: string;
  address: string | null;
  openingHours: string | null;
  workHours: string | null;
  taxIds: string | null;
  pickupPlaces: FormPlace[] | null;
  mailSender: { name?: string | null; address?: string | null } | null;
  shippingTable: Omit<Table, "zones"> & { zones: FormZone[] };
};

export const readSettings = async (): Promise<RaRecord> => toRecord(await partline.settings.get());

/**
 * Sends what was changed and nothing else: the rest may be set by the environment, or follow the product's defaults.
 */
export async function changeSettings(
  _recordId: string,
  data: Partial<RaRecord>,
  previousData: Partial<RaRecord>,
): Promise<RaRecord> {
  const record = previousData as SettingsRecord;
  const previous = new Map(Object.entries(toSettings(record)));
  const changes = Object.entries(toSettings(data as SettingsRecord)).filter(
    // A field that is locked may come back without its value.
    ([name, value]) => !record.pinned.includes(name) && toComparable(value) !== toComparable(previous.get(name)),
  );
  return toRecord(await partline.settings.change({ version: record.version, ...Object.fromEntries(changes) }));
}

/** A form has null, an empty text and an unticked box for what is absent. */
function toComparable(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (part === null || part === "" || part === false) return undefined;
    if (typeof part !== "object" || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  }) as string;
}

function toSettings(record: SettingsRecord) {
  const { id: _shop, pinned: _pins, pickupPlaces, mailSender, shippingTable, ...fields } = record;
  return {
    ...fields,
    mailSender: mailSender?.address ? { name: mailSender.name ?? null, address: mailSender.address } : null,
    shippingTable: { ...shippingTable, zones: shippingTable.zones.map(toZone) },
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
  } satisfies SettingsChangeParams;
}

function toRecord(settings: Settings): SettingsRecord {
  const { address, openingHours, workHours, taxIds, pickupPlaces, shippingTable } = settings;
  setShopTimeZone(settings.timeZone);
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
    shippingTable: {
      ...shippingTable,
      zones: shippingTable.zones.map((zone) => ({
        ...zone,
        countries: zone.countries.join(", "),
        regions: zone.regions?.join(", ") ?? null,
        postalCodes: zone.postalCodes?.join(", ") ?? null,
      })),
    },
  };
}

function toZone({ countries, regions, postalCodes, ...zone }: FormZone): Zone {
  const toCodes = (text: string | null | undefined): string[] =>
    toLines((text ?? "").replaceAll(",", "\n")).map((code) => code.toUpperCase());
  const [states, codes] = [toCodes(regions), toCodes(postalCodes)];
  return {
    ...zone,
    // An unticked box says what is usual.
    methods: zone.methods.map(({ hazmat, oversize, ...method }) => ({
      ...method,
      ...(hazmat ? { hazmat } : {}),
      ...(oversize ? { oversize } : {}),
    })),
    countries: toCodes(countries),
    ...(states.length > 0 ? { regions: states } : {}),
    ...(codes.length > 0 ? { postalCodes: codes } : {}),
  };
}

export function toLines(text: string | null | undefined): string[] {
  return (text ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
