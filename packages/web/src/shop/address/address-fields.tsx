import type { ShippingAddress } from "@partline/client";
import type { ReactNode } from "react";
import { NEED_STATE, STATES } from "@partline/toolkit/pure";
import { listCountries } from "../../shared/countries.ts";
import { fill } from "../../shared/language.ts";
import { useShop, type Shop } from "../context.tsx";
import { Field } from "../kit/field.tsx";

const TEXT_FIELDS = {
  name: { complete: "shipping name", max: 200, isRequired: true },
  street: { complete: "shipping address-line1", max: 200, isRequired: true },
  street2: { complete: "shipping address-line2", max: 98, isRequired: false },
  city: { complete: "shipping address-level2", max: 200, isRequired: true },
  state: { complete: "shipping address-level1", max: 100, isRequired: true },
  postalCode: { complete: "shipping postal-code", max: 30, isRequired: false },
  phone: { complete: "shipping tel", max: 50, isRequired: false },
} as const;

/** An address as it is typed. The API has one field for both lines of a street: see `toAddress`. */
export type TypedAddress = ShippingAddress & { street2?: string | undefined };

interface AddressFieldsProps {
  address: TypedAddress;
  onChange: (address: TypedAddress) => void;
  /** Names of fields that were refused. */
  refused?: readonly string[];
  /** An answer is awaited for the address as it is. */
  isBusy?: boolean;
}

/** The whole address: country and state are lists, and a country without states has no field for one. */
export function AddressFields({ address, onChange, refused = [], isBusy = false }: AddressFieldsProps): ReactNode {
  const { texts, language, shipTo } = useShop();
  const country = address.country ?? shipTo[0] ?? "";
  const states = STATES[country];
  const change = (fields: TypedAddress): void => onChange({ ...address, country, ...fields });
  const markInvalid = (name: string) => (refused.includes(name) ? { "aria-invalid": true } : {});
  const renderText = (name: keyof typeof TEXT_FIELDS): ReactNode => (
    <Field label={texts[name]} key={name}>
      {(control) => (
        <input
          {...control}
          name={name}
          value={address[name] ?? ""}
          required={isRequired(name, country)}
          maxLength={TEXT_FIELDS[name].max}
          autoComplete={TEXT_FIELDS[name].complete}
          readOnly={isBusy}
          onChange={(event) => change({ [name]: event.target.value })}
          {...markInvalid(name)}
        />
      )}
    </Field>
  );
  return (
    <>
      <Field label={texts.country}>
        {(control) => (
          <select
            {...control}
            name="country"
            value={country}
            disabled={isBusy}
            autoComplete="shipping country"
            onChange={(event) => change({ country: event.target.value, state: "" })}
            {...markInvalid("country")}
          >
            {listCountries(shipTo, language).map(([code, name]) => (
              // Node.js and the browser may know different names.
              <option key={code} value={code} suppressHydrationWarning>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {renderText("name")}
      {renderText("street")}
      {renderText("street2")}
      {renderText("city")}
      {states === undefined && NEED_STATE.has(country) && renderText("state")}
      {states && (
        <Field label={texts.state}>
          {(control) => (
            <select
              {...control}
              name="state"
              value={address.state ?? ""}
              required
              disabled={isBusy}
              autoComplete={TEXT_FIELDS.state.complete}
              onChange={(event) => change({ state: event.target.value })}
              {...markInvalid("state")}
            >
              <option value="">{texts.chooseState}</option>
              {[...states.values()].map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {renderText("postalCode")}
      {renderText("phone")}
    </>
  );
}

function isRequired(name: keyof typeof TEXT_FIELDS, country: string): boolean {
  if (name === "state") return NEED_STATE.has(country);
  return TEXT_FIELDS[name].isRequired || (name === "postalCode" && STATES[country] !== undefined);
}

const NAMES = Object.keys(TEXT_FIELDS) as (keyof typeof TEXT_FIELDS)[];

/** Lists the fields that must be filled in and are not. */
export function listMissing(address: ShippingAddress): (keyof typeof TEXT_FIELDS)[] {
  return NAMES.filter(
    (name) => name !== "street2" && isRequired(name, address.country ?? "") && address[name] === undefined,
  );
}

/** Says which fields must be filled in, in the page's language; undefined if none is missing. */
export function describeMissing(address: ShippingAddress, { texts, language }: Shop): string | undefined {
  const names = listMissing(address).map((name) => texts[name]);
  if (names.length === 0) return undefined;
  return fill(texts.addressLacks, { fields: new Intl.ListFormat(language).format(names) });
}

/** Returns what is entered: without spaces around, without empty fields, and the street's lines as one. */
export function toAddress({ street, street2, ...fields }: TypedAddress, shipTo: readonly string[]): ShippingAddress {
  const lines = [street, street2].map((line = "") => line.trim()).filter((line) => line !== "");
  const entries = Object.entries({ country: shipTo[0], ...fields, street: lines.join(", ") }).flatMap(
    ([name, value]: [string, unknown]) =>
      typeof value === "string" && value.trim() !== "" ? [[name, value.trim()]] : [],
  );
  return Object.fromEntries(entries) as ShippingAddress;
}
