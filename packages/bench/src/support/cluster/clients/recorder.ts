import { randomUUID } from "node:crypto";
import { FORM_TYPE, formOf, manualPdf, sha256Of } from "../../../../../../test/support/manuals.ts";
import { JSON_TYPE, type Client } from "./client.ts";

/** Appends some events to an aggregate, and writes a document twice: each with a key, so that it may be sent again. */
export async function record(client: Client): Promise<void> {
  const aggregateId = `machine-${randomUUID()}`;
  for (let n = 1; n <= 3; n++) {
    const eventId = randomUUID();
    const body = JSON.stringify({
      event_id: eventId,
      aggregate_id: aggregateId,
      aggregate_type: "machine",
      event_type: "MACHINE_SERVICED",
      data: { n },
    });
    await client.do(
      "event.append",
      { eventId, aggregateId },
      { entry: "eventstore", method: "POST", path: "/events", headers: JSON_TYPE, body },
      (status, answer) =>
        status === 201 ? { version: answer.version as number, position: answer.position as number } : undefined,
      "keyed",
    );
  }
  const id = `note-${randomUUID()}`;
  for (const content of ["Torque the head bolts to 25 Nm", "Torque the head bolts to 27 Nm"]) {
    await client.do(
      "document.store",
      { id, content },
      {
        entry: "eventstore",
        method: "POST",
        path: "/store",
        headers: JSON_TYPE,
        body: JSON.stringify({ documents: [{ content, metadata: { id } }] }),
      },
      (status, answer) =>
        status === 200
          ? { eventId: answer.documents[0].event_id as string, version: answer.documents[0].version as number }
          : undefined,
      "keyed",
    );
  }
}

/** Parts on each page of `manualPdf`. */
const PARTS_A_PAGE = 2;

/** Sends a small manual, which its bytes are the key of, and looks how far it is. */
export async function sendManual(client: Client): Promise<void> {
  const content = await manualPdf({ pages: 1, title: `Service sheet ${randomUUID()}` });
  const sha256 = sha256Of(content);
  const form = formOf([{ name: "file", filename: "sheet.pdf", content }]);
  const upload = await client.do(
    "manual.upload",
    { sha256, parts: PARTS_A_PAGE },
    { entry: "pipeline", method: "POST", path: "/api/upload-pdf", headers: { "content-type": FORM_TYPE }, body: form },
    (status, answer) => (status === 202 ? { batchId: answer.batch_id as string } : undefined),
    "keyed",
  );
  if (!upload) return;
  await client.do(
    "manual.read",
    { batchId: upload.batchId },
    { entry: "pipeline", method: "GET", path: `/api/jobs/${upload.batchId}` },
    (status, answer) => (status === 200 ? { status: answer.status as string } : undefined),
    "read",
  );
}
