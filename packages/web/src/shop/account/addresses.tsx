import type { ShippingAddress } from "@partline/client";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { AddressFields, toAddress } from "../address/address-fields.tsx";
import { formatAddress } from "../address/use-saved-addresses.ts";
import { usePartline, useShop } from "../context.tsx";
import { Button } from "../kit/button.tsx";
import { Card } from "../kit/card.tsx";
import { Icon } from "../kit/icon.tsx";
import { PLUS } from "../kit/icons/ui.ts";
import { useAction } from "../problem.ts";
import { ProblemNotice } from "../problem-notice.tsx";
import { ScriptedForm } from "../scripted-form.tsx";
import { SECTIONS } from "./sections.ts";

/** The user's addresses; the first is the default, which the cart begins with. */
export function Addresses({ addresses: initialAddresses }: { addresses: readonly ShippingAddress[] }): ReactNode {
  const { texts, shipTo } = useShop();
  const partline = usePartline();
  const [addresses, setAddresses] = useState(initialAddresses);
  const [fields, setFields] = useState<ShippingAddress>({});
  const { run, problem, isBusy } = useAction();
  /** Changes what the server has: another tab may have saved since. */
  const change = (decide: (current: ShippingAddress[]) => ShippingAddress[]): Promise<void> =>
    run(async () => {
      const next = decide((await partline.user.me()).addresses);
      // The form requires what the API does.
      const wholeAddresses = next.flatMap(({ street, city, country, ...rest }) =>
        street && city && country ? [{ ...rest, street, city, country }] : [],
      );
      setAddresses((await partline.user.updateMe({ addresses: wholeAddresses })).addresses);
      setFields({});
    });
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    void change((current) => [...current, toAddress(fields, shipTo)]);
  };
  return (
    <Card heading={texts.savedAddress} id={SECTIONS.addresses}>
      <ul className="lines">
        {addresses.map((address, index) => {
          const text = formatAddress(address);
          const dropAddress = (current: ShippingAddress[]): ShippingAddress[] =>
            current.filter((candidate) => formatAddress(candidate) !== text);
          return (
            <li key={`${index} ${text}`} className="kept">
              <span>
                {text}
                {index === 0 && <span className="soft"> · {texts.addressDefault}</span>}
              </span>
              <span className="actions">
                {index > 0 && (
                  <Button kind="plain" onClick={() => void change((current) => [address, ...dropAddress(current)])}>
                    {texts.makeDefault}
                    <span className="hidden">: {text}</span>
                  </Button>
                )}
                <Button kind="plain" onClick={() => void change(dropAddress)}>
                  {texts.remove}
                  <span className="hidden">: {text}</span>
                </Button>
              </span>
            </li>
          );
        })}
      </ul>
      <ProblemNotice text={problem} />
      <details>
        <summary className="button compact">
          <Icon path={PLUS} size="small" />
          {texts.addressAdd}
        </summary>
        <ScriptedForm onSubmit={add} className="place">
          <AddressFields address={fields} onChange={setFields} isBusy={isBusy} />
          <Button kind="primary" isBusy={isBusy}>
            {texts.saveAddress}
          </Button>
        </ScriptedForm>
      </details>
    </Card>
  );
}
