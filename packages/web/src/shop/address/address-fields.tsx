import type { ShippingAddress } from "@partline/client";
import type { ReactNode } from "react";
import { NEED_STATE, STATES } from "../../../../../mixins/shop/states.ts";
import { useShop } from "../context.tsx";

const TEXT_FIELDS = {
  name: { complete: "shipping name", max: 200, isRequired: true },
  street: { complete: "shipping street-address", max: 300, isRequired: true },
  city: { complete: "shipping address-level2", max: 200, isRequired: true },
  state: { complete: "shipping address-level1", max: 100, isRequired: true },
  postalCode: { complete: "shipping postal-code", max: 30, isRequired: false },
  phone: { complete: "shipping tel", max: 50, isRequired: false },
} as const;

interface AddressFieldsProps {
  address: ShippingAddress;
  onChange: (address: ShippingAddress) => void;
  /** Names of fields that were refused. */
  refused?: readonly string[];
  /** An answer is awaited for the address as it is. */
  isBusy?: boolean;
}

/** The whole address: country and state are lists, and a country without states has no field for one. */
export function AddressFields({ address, onChange, refused = [], isBusy = false }: AddressFieldsProps): ReactNode {
  const { texts, language, shipTo } = useShop();
  const country = address.country ?? shipTo[0] ?? "";
  const names = new Intl.DisplayNames(language, { type: "region" });
  const countries = shipTo
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((first, second) => first.name.localeCompare(second.name, language));
  const states = STATES[country];
  const change = (fields: ShippingAddress): void => onChange({ ...address, country, ...fields });
  const markInvalid = (name: string) => (refused.includes(name) ? { "aria-invalid": true } : {});
  const renderText = (name: keyof typeof TEXT_FIELDS): ReactNode => (
    <label key={name}>
      {texts[name]}
      <input
        name={name}
        value={address[name] ?? ""}
        required={TEXT_FIELDS[name].isRequired || (name === "postalCode" && states !== undefined)}
        maxLength={TEXT_FIELDS[name].max}
        autoComplete={TEXT_FIELDS[name].complete}
        readOnly={isBusy}
        onChange={(event) => change({ [name]: event.target.value })}
        {...markInvalid(name)}
      />
    </label>
  );
  return (
    <>
      <label>
        {texts.country}
        <select
          name="country"
          value={country}
          disabled={isBusy}
          autoComplete="shipping country"
          onChange={(event) => change({ country: event.target.value, state: "" })}
          {...markInvalid("country")}
        >
          {countries.map(({ code, name }) => (
            // Node.js and the browser may know different names.
            <option key={code} value={code} suppressHydrationWarning>
              {name}
            </option>
          ))}
        </select>
      </label>
      {renderText("name")}
      {renderText("street")}
      {renderText("city")}
      {states === undefined && NEED_STATE.has(country) && renderText("state")}
      {states && (
        <label>
          {texts.state}
          <select
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
        </label>
      )}
      {renderText("postalCode")}
      {renderText("phone")}
    </>
  );
}

/** Returns what is entered: without spaces around, and without empty fields. */
export function toAddress(fields: ShippingAddress, shipTo: readonly string[]): ShippingAddress {
  const entries = Object.entries({ country: shipTo[0], ...fields }).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "string" && value.trim() !== "" ? [[name, value.trim()]] : [],
  );
  return Object.fromEntries(entries) as ShippingAddress;
}
