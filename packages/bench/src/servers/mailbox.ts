/** The sandbox's mailbox in a process of its own; prints the port of its SMTP server. */
import { startMailboxSandbox } from "../../../sandbox/src/mailbox/server.ts";

const { smtpPort } = await startMailboxSandbox({ host: "127.0.0.1", port: 0, smtpPort: 0 });
console.log(smtpPort);
