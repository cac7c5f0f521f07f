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
      {listPickupPlaces({ shopName, ...facts }, isChosen ? chosenId : undefined).map(
        ({ id, name, address, hours }, index, { length }) => (
          <p key={index}>
            {onChoose && id !== undefined && length > 1 ? (
              <label>
                <input type="radio" name="pickup-place" checked={id === chosenId} onChange={() => onChoose(id)} />{" "}
                <strong>{name}</strong>
              </label>
            ) : (
              <>
                <strong>{name}</strong>
                <br />
              </>
            )}
            <Lines of={[...address, ...hours]} />
          </p>
        ),
      )}
    </>
  );
}
