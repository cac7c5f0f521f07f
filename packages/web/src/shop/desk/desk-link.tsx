import { useState, type MouseEvent, type ReactNode } from "react";
import { useShop } from "../context.tsx";
import { Icon } from "../kit/icon.tsx";
import { ASK } from "../kit/icons/ui.ts";
import { Sheet } from "../kit/sheet.tsx";
import { isForNewTab } from "../new-tab.ts";
import type { DeskPanel } from "./desk-panel.tsx";
import type { DeskSubject } from "./subject.ts";

/** Renders the way to the desk. With a script, a press opens it beside the page, unless the page is the desk. */
export function DeskLink({ subject }: { subject: DeskSubject | undefined }): ReactNode {
  const { texts, address } = useShop();
  const [Panel, setPanel] = useState<typeof DeskPanel>();
  const [isOpen, setIsOpen] = useState(false);
  const open = async (): Promise<void> => {
    try {
      const module = await import("./desk-panel.tsx");
      setPanel(() => module.DeskPanel);
      setIsOpen(true);
    } catch {
      // The shop has another version by now.
      location.assign("/desk");
    }
  };
  const onClick = (event: MouseEvent): void => {
    if (isForNewTab(event) || /^\/desk\b/.test(address)) return;
    event.preventDefault();
    void open();
  };
  return (
    <>
      <a href="/desk" className="act" onClick={onClick}>
        <Icon path={ASK} />
        <span>{texts.deskAsk}</span>
      </a>
      <Sheet heading={texts.deskAskIt} isOpen={isOpen} onClose={() => setIsOpen(false)}>
        {Panel && <Panel subject={subject} />}
      </Sheet>
    </>
  );
}
