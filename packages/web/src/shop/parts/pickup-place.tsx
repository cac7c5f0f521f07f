import type { ReactNode } from "react";
import { listPickupPlaces } from "../../../../../mixins/shop/shop-facts.ts";
import { useShop } from "../context.tsx";
import { Lines } from "./lines.tsx";

/** Where an order is picked up and when, as far as the shop says. */
export function PickupPlace(): ReactNode {
  const { texts, shopName, facts } = useShop();
  return (
    <>
      <p>{texts.pickupAt}</p>
      {listPickupPlaces({ shopName, ...facts }).map(({ name, address, hours }, index) => (
        <p key={index}>
          <strong>{name}</strong>
          <br />
          <Lines of={[...address, ...hours]} />
        </p>
      ))}
    </>
  );
}
