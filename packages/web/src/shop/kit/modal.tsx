import { useEffect, useRef, type KeyboardEventHandler, type ReactNode } from "react";

interface ModalProps {
  label: string;
  className: string;
  /** A closed one stays in the page. */
  isOpen?: boolean;
  /** Escape, a press beside it, or what its content has for that. */
  onClose: () => void;
  onKeyDown?: KeyboardEventHandler;
  children: ReactNode;
}

/** Renders a dialog over the page; its class says where. Without a script it stays closed. */
export function Modal({ label, className, isOpen = true, onClose, onKeyDown, children }: ModalProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      className={className}
      aria-label={label}
      onClose={onClose}
      onKeyDown={onKeyDown}
      // The dialog itself is only hit beside what it has.
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
