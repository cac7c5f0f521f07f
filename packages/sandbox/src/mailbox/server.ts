import type { DatabaseSync } from "node:sqlite";
import { buffer } from "node:stream/consumers";
import type { AddressObject } from "mailparser";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { html, htmlReply, plainPage } from "../server/html.ts";
import { openDatabase } from "../server/database.ts";
import {
  type Address,
  type HttpServer,
  jsonReply,
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
/** A mail as a mail client shows it: no script, no remote content, no way out of its frame. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups allow-popups-to-escape-sandbox";

/**
 * The stand-in for all mailboxes: an SMTP server that keeps each Message-ID once, as mail providers do, and its pages.
 * `/sandbox/refused` holds addresses that it refuses for good.
 */
export async function startMailboxSandbox(options: MailboxOptions): Promise<HttpServer & { smtpPort: number }> {
  const { host, port, smtpPort, dataDir } = options;
  const database = openDatabase(dataDir, "sandbox-mailbox", SCHEMA);
  const refused = new Set<string>();
  const admit: SMTPServerOptions["onRcptTo"] = ({ address }, _session, done) =>
    done(refused.has(address) ? Object.assign(new Error("No such mailbox"), { responseCode: 550 }) : null);
  const smtp = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    onMailFrom: admit,
    onRcptTo: admit,
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
  const server = await startHttpServer({ host, port, routes: pages(database, refused) });
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
  const addresses = (given?: AddressObject | AddressObject[]): string =>
    [given ?? []]
      .flat()
      .map(({ text }) => text)
      .join(", ");
  const { messageId = null, subject = "", text = "", html: shown } = mail;
  database
    .prepare(
      "INSERT OR IGNORE INTO mails (messageId, at, sender, recipient, subject, text, html) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    .run(messageId, new Date().toISOString(), addresses(mail.from), addresses(mail.to), subject, text, shown || "");
}

function pages(database: DatabaseSync, refused: Set<string>): Routes {
  const newest = () => database.prepare("SELECT * FROM mails ORDER BY id DESC LIMIT ?").all(SHOWN) as unknown as Mail[];
  const find = (id = ""): Mail | undefined =>
    database.prepare("SELECT * FROM mails WHERE id = ?").get(Number(id) || 0) as unknown as Mail | undefined;
  const none = (): Reply => jsonReply(404, { error: "No such mail" });
  return {
    "GET /": () => htmlReply(200, inbox(newest())),
    "GET /mails/:id": ({ params }) => {
      const mail = find(params.id);
      return mail ? framing(htmlReply(200, opened(mail))) : none();
    },
    "GET /mails/:id/html": ({ params }) => {
      const mail = find(params.id);
      const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": MAIL_POLICY };
      return mail ? { status: 200, headers, body: mail.html } : none();
    },
    "GET /sandbox/mails": () => jsonReply(200, { mails: newest() }),
    "PUT /sandbox/refused/:address": ({ params }) => jsonReply(200, { refused: [...refused.add(params.address!)] }),
    "DELETE /sandbox/refused": () => {
      refused.clear();
      return jsonReply(200, { refused: [] });
    },
  };
}

function framing(reply: Reply): Reply {
  const policy = `${reply.headers?.["content-security-policy"]}; frame-src 'self'`;
  return { ...reply, headers: { ...reply.headers, "content-security-policy": policy } };
}

function inbox(mails: readonly Mail[]) {
  return plainPage(
    "Sandbox mailbox",
    html`<p>A stand-in for every mailbox that the shop writes to; the newest mails first.</p>
${mails.length === 0 && html`<p>Nothing yet: pay an order.</p>`}
<table>${mails.map(
      ({ id, at, recipient, subject }) =>
        html`<tr><td>${at.slice(0, 19).replace("T", " ")}</td><td>${recipient}</td><td><a href="/mails/${id}">${subject}</a></td></tr>`,
    )}</table>`,
  );
}

function opened({ id, at, sender, recipient, subject, text }: Mail) {
  return plainPage(
    subject,
    html`<p>From ${sender} to ${recipient}, ${at.slice(0, 19).replace("T", " ")}. <a href="/">All mails</a></p>
<iframe src="/mails/${id}/html" title="The mail as it looks" width="100%" height="640"></iframe>
<h2>Its text</h2>
<pre>${text}</pre>`,
  );
}
