import type { ReactNode } from "react";
import { listPickupPlaces } from "../../../../../mixins/shop/shop-facts.ts";
import { useShop } from "../context.tsx";
import { Lines } from "./lines.tsx";

interface PickupPlaceProps {
  chosenId?: string | undefined;
  /** The others are not shown. */
  isChosen?: boolean;
  /** Lets the shopper choose where there are several. */
  onChoose?: (id: string) => void;
}

/** Where an order is picked up and when, as far as the shop says. */
export function PickupPlace({ chosenId, isChosen = false, onChoose }: PickupPlaceProps): ReactNode {
  const { texts, shopName, facts } = useShop();
  return (
    <>
      <p>{texts.pickupAt}</p>
      <div className="options two">
        {listPickupPlaces({ shopName, ...facts }, isChosen ? chosenId : undefined).map(
          ({ id, name, address, hours }, index, { length }) =>
            onChoose && id !== undefined && length > 1 ? (
              <label key={index} className="option">
                <input type="radio" name="pickup-place" checked={id === chosenId} onChange={() => onChoose(id)} />
                <span className="option-name">{name}</span>
                <span className="option-time">
                  <Lines of={[...address, ...hours]} />
                </span>
              </label>
            ) : (
              <p key={index}>
                <strong>{name}</strong>
                <br />
                <Lines of={[...address, ...hours]} />
              </p>
            ),
        )}
      </div>
    </>
  );
}
