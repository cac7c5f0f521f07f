import type { ReactNode } from "react";
import { useShop } from "../context.tsx";

/** Where an order is picked up, as far as the shop says. */
export function PickupPlace(): ReactNode {
  const { texts, shopName, shopAddress } = useShop();
  return (
    <p>
      {texts.pickupAt}
      <br />
      {[shopName, ...shopAddress].map((line, index) => (
        <span key={index}>
          {index > 0 && <br />}
          {index === 0 ? <strong>{line}</strong> : line}
        </span>
      ))}
    </p>
  );
}
