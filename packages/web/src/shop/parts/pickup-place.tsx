import type { ReactNode } from "react";
import { useShop } from "../context.tsx";

/** Where an order is picked up, as far as the shop says. */
export function PickupPlace(): ReactNode {
  const { texts, shopName, shopAddress } = useShop();
  return (
    <p>
      {texts.pickupAt}
      <br />
      {[shopName, ...shopAddress].map((line, at) => (
        <span key={at}>
          {at > 0 && <br />}
          {at === 0 ? <strong>{line}</strong> : line}
        </span>
      ))}
    </p>
  );
}
