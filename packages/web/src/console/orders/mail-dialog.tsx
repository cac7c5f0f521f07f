import Button from "@mui/material/Button";
import { useState, type ReactNode } from "react";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { ActionDialog } from "../shared/action-dialog.tsx";
import { TextInput } from "../shared/text-input.tsx";
import { texts } from "../texts.ts";

const t = texts.mailAgain;

interface MailAgainProps {
  orderId: string;
  mailId: string;
  title: string;
  /** For screen readers, where a page has several. */
  name: string;
}

/** Sends a mail again, also to another address than the order's. */
export function MailAgain({ orderId, mailId, title, name }: MailAgainProps): ReactNode {
  const may = useMay();
  const [isOpen, setIsOpen] = useState(false);
  const [address, setAddress] = useState("");
  if (!may("orders:write")) return null;
  const to = address.trim();
  return (
    <>
      <Button size="small" className="no-print" aria-label={`${t.submit}: ${name}`} onClick={() => setIsOpen(true)}>
        {t.submit}
      </Button>
      {isOpen && (
        <ActionDialog
          title={t.describeMail(title)}
          submit={t.submit}
          done={t.done}
          onClose={() => setIsOpen(false)}
          values={to}
          run={(call) => partline.mail.sendAgain({ orderId, mailId, ...(to && { to }) }, call)}
        >
          {may("orders:refund") && (
            <TextInput label={t.to} type="email" value={address} onChange={setAddress} helperText={t.toHint} />
          )}
        </ActionDialog>
      )}
    </>
  );
}
