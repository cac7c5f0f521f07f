import { useState, type ReactNode } from "react";
import { useMay } from "../may.ts";
import { Page } from "../shared/page.tsx";
import { texts } from "../texts.ts";
import { Faults } from "./faults.tsx";
import { History } from "./history.tsx";
import { Schedule } from "./schedule.tsx";
import { StartSync } from "./start-sync.tsx";
import { SyncDialog } from "./sync-dialog.tsx";

/** Shows what keeps prices and stock current: when it runs, how far it is, and how it went. */
export function SyncsPage(): ReactNode {
  const [open, setOpen] = useState<string>();
  return (
    <Page title={texts.menu.syncs}>
      {useMay()("catalog:write") && <StartSync />}
      <Schedule />
      <Faults onLook={setOpen} />
      <History onLook={setOpen} />
      {open !== undefined && <SyncDialog syncId={open} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}
