import type { DatabaseSync } from "node:sqlite";
import { buffer } from "node:stream/consumers";
import type { AddressObject } from "mailparser";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { createFaults, createProviderRoutes, type Faults } from "../server/faults.ts";
import { type Html, html, createHtmlReply, renderPlainPage } from "../server/html.ts";
import { openDatabase } from "../server/database.ts";
import {
  type Address,
  type HttpServer,
  createJsonReply,
  type Reply,
  type Routes,
  startHttpServer,
} from "../server/http-server.ts";

/** Its address is that of the pages. */
interface MailboxOptions extends Address {
  smtpPort: number;
  /** Memory unless given. */
  dataDir?: string;
}

interface Mail {
  id: number;
  messageId: string;
  at: string;
  sender: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
}

const SCHEMA = `CREATE TABLE IF NOT EXISTS mails (id INTEGER PRIMARY KEY, messageId TEXT UNIQUE, at TEXT, sender TEXT,
  recipient TEXT, subject TEXT, text TEXT, html TEXT) STRICT`;
const SHOWN = 200;
/** A mail as a mail client shows it: pictures, no script, nothing else from elsewhere, no way out of its frame. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src http: https: data:; " +
  "sandbox allow-popups allow-popups-to-escape-sandbox";

/**
 * The stand-in for all mailboxes: an SMTP server that keeps each Message-ID once, as mail providers do, and its pages.
 * `/sandbox/refused` holds addresses that it refuses for good, `/sandbox/faults` what the next recipients meet.
 */
export async function startMailboxSandbox(options: MailboxOptions): Promise<HttpServer & { smtpPort: number }> {
  const { host, port, smtpPort, dataDir } = options;
  const database = openDatabase(dataDir, "sandbox-mailbox", SCHEMA);
  const refused = new Set<string>();
  const faults = createFaults({ refused: "the SMTP code for a recipient, 550 by default; 4xx is worth a retry" });
  const refuse = (responseCode: number): Error => Object.assign(new Error("No such mailbox"), { responseCode });
  const admit: SMTPServerOptions["onMailFrom"] = ({ address }, _session, done) =>
    done(refused.has(address) ? refuse(550) : null);
  const admitRecipient: SMTPServerOptions["onRcptTo"] = (recipient, session, done) => {
    const [fault] = faults.strike();
    if (fault) done(refuse(fault.value ?? 550));
    else admit(recipient, session, done);
  };
  const smtp = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    onMailFrom: admit,
    onRcptTo: admitRecipient,
    onData: (stream, _session, done) => {
      buffer(stream)
        .then((raw) => keep(database, raw))
        .then(() => done(), done);
    },
  });
  // A client may leave in the middle.
  smtp.on("error", () => undefined);
  await new Promise<void>((resolve, reject) => {
    smtp.once("error", reject);
    smtp.listen(smtpPort, host, resolve);
  });
  const server = await startHttpServer({ host, port, routes: createPages(database, refused, faults) });
  return {
    ...server,
    smtpPort: (smtp.server.address() as { port: number }).port,
    async close() {
      await Promise.all([server.close(), new Promise<void>((resolve) => smtp.close(() => resolve()))]);
      database.close();
    },
  };
}

async function keep(database: DatabaseSync, raw: Buffer): Promise<void> {
  // Loaded for the first mail: it takes 10 MB.
  const { simpleParser } = await import("mailparser");
  const mail = await simpleParser(raw);
  const formatAddresses = (field?: AddressObject | AddressObject[]): string =>
    [field ?? []]
      .flat()
      .map(({ text }) => text)
      .join(", ");
  const { messageId = null, subject = "", text = "", html: htmlBody } = mail;
  database
    .prepare(
      "INSERT OR IGNORE INTO mails (messageId, at, sender, recipient, subject, text, html) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    .run(
      messageId,
      new Date().toISOString(),
      formatAddresses(mail.from),
      formatAddresses(mail.to),
      subject,
      text,
      htmlBody || "",
    );
}

function createPages(database: DatabaseSync, refused: Set<string>, faults: Faults<"refused">): Routes {
  const listNewest = () =>
    database.prepare("SELECT * FROM mails ORDER BY id DESC LIMIT ?").all(SHOWN) as unknown as Mail[];
  const find = (id = ""): Mail | undefined =>
    database.prepare("SELECT * FROM mails WHERE id = ?").get(Number(id) || 0) as unknown as Mail | undefined;
  const replyNotFound = (): Reply => createJsonReply(404, { error: "No such mail" });
  return {
    ...createProviderRoutes("Mailbox", faults, () => renderInbox(listNewest())),
    "GET /mails/:id": ({ params }) => {
      const mail = find(params.id);
      return mail ? allowFraming(createHtmlReply(200, renderMail(mail))) : replyNotFound();
    },
    "GET /mails/:id/html": ({ params }) => {
      const mail = find(params.id);
      const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": MAIL_POLICY };
      // The pages that a mail links to are shown in no frame.
      const body = mail?.html.replace(/^(?:[^]*?<head\b[^>]*>)?/i, '$&<base target="_blank">');
      return mail ? { status: 200, headers, body } : replyNotFound();
    },
    "GET /sandbox/mails": () => createJsonReply(200, { mails: listNewest() }),
    "PUT /sandbox/refused/:address": ({ params }) =>
      createJsonReply(200, { refused: [...refused.add(params.address!)] }),
    "DELETE /sandbox/refused": () => {
      refused.clear();
      return createJsonReply(200, { refused: [] });
    },
  };
}

function allowFraming(reply: Reply): Reply {
  const policy = `${reply.headers?.["content-security-policy"]}; frame-src 'self'`;
  return { ...reply, headers: { ...reply.headers, "content-security-policy": policy } };
}

function renderInbox(mails: readonly Mail[]): { about: Html } {
  const renderRow = ({ id, at: time, recipient, subject }: Mail): Html =>
    html`<tr><td>${time.slice(0, 19).replace("T", " ")}</td><td>${recipient}</td><td><a href="/mails/${id}">${subject}</a></td></tr>`;
  return {
    about: html`<p>A stand-in for every mailbox that the shop writes to; the newest mails first.</p>
${mails.length === 0 && html`<p>Nothing yet: pay an order.</p>`}
<table>${mails.map(renderRow)}</table>`,
  };
}

function renderMail({ id, at: time, sender, recipient, subject, text }: Mail) {
  return renderPlainPage(
    subject,
    html`<p>From ${sender} to ${recipient}, ${time.slice(0, 19).replace("T", " ")}. <a href="/">All mails</a></p>
<iframe src="/mails/${id}/html" title="The mail as it looks" width="100%" height="640"></iframe>
<h2>Its text</h2>
<pre>${text}</pre>`,
  );
}
