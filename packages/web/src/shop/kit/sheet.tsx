import type { ReactNode } from "react";
import { useShop } from "../context.tsx";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { CLOSE } from "./icons/ui.ts";
import { Modal } from "./modal.tsx";

interface SheetProps {
  heading: string;
  isOpen: boolean;
  /** Escape, the cross, or a press beside it. */
  onClose: () => void;
  children: ReactNode;
}

/** Renders a dialog over the page: at the right, on phones from below. Without a script it stays closed. */
export function Sheet({ heading, isOpen, onClose, children }: SheetProps): ReactNode {
  const { texts } = useShop();
  return (
    <Modal label={heading} className="sheet" isOpen={isOpen} onClose={onClose}>
      <header>
        <h2>{heading}</h2>
        <Button kind="bare" aria-label={texts.close} onClick={onClose}>
          <Icon path={CLOSE} />
        </Button>
      </header>
      <div className="sheet-content">{isOpen && children}</div>
    </Modal>
  );
}
