import type { ReactNode } from "react";
import { useShop } from "../context.tsx";

/** Renders what went into the cart, with the way there; empty without a text. */
export function AddedNote({ text }: { text: string | undefined }): ReactNode {
  const { texts } = useShop();
  return (
    <span role="status" className="added">
      {text !== undefined && (
        <>
          {text} <a href="/cart">{texts.toCart}</a>
        </>
      )}
    </span>
  );
}
