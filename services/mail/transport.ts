import { createTransport } from "nodemailer";
import { emailRule } from "../../broker/contract/common.ts";
import type { MailSettings } from "../../broker/settings/mail.ts";
import { onOneLine } from "../../mixins/safe-text.ts";
import type { Letter } from "./letter.ts";

export interface Posted extends Letter {
  messageId: string;
  to: { address: string; name?: string };
}

/** Kept open while there is something to send; mail servers allow a client some 20 to 50. */
const MOST_CONNECTIONS = 20;

/** How long the server may take for each step, milliseconds. */
const STEP_MS = 10_000;

/** Whether a mail can be addressed to this: one mailbox, and nothing that a header would be read into. */
export function isAddress(address: string): boolean {
  return address.length <= emailRule.max && emailRule.pattern.test(address);
}

export type Transport = ReturnType<typeof createMailTransport>;

/** Hands mails to the SMTP server of the settings. */
export function createMailTransport({ url, from }: MailSettings) {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: MOST_CONNECTIONS,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    /** Resolves once the server has taken the mail. @throws with `responseCode` if it answered */
    async post({ to: { address, name = "" }, ...mail }: Posted): Promise<void> {
      await transport.sendMail({ from, to: { address, name: onOneLine(name) }, ...mail });
    },
    close: () => transport.close(),
  };
}

/** Whether the server refuses this mail or its address for good; anything else, our own address too, is tried again. */
export function isRefusal(error: unknown): boolean {
  const { code, command, responseCode = 0 } = error as { code?: string; command?: string; responseCode?: number };
  return (code === "EENVELOPE" || code === "EMESSAGE") && command !== "MAIL FROM" && responseCode >= 500;
}
