import type { ReactNode } from "react";
import { useShop } from "./context.tsx";

/** Shows other ways to a part whose number and name the shopper does not know. */
export function OtherWays(): ReactNode {
  const { texts } = useShop();
  return (
    <p className="actions">
      <a href="/machines" className="button">
        {texts.machines}
      </a>
      <a href="/desk" className="button">
        {texts.deskAskIt}
      </a>
    </p>
  );
}
