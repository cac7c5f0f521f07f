import { formOf, FORM_TYPE } from "./manuals.ts";
import { ADMIN_TOKEN, type Answer, type SystemClient } from "./system.ts";

/** Imports a price file of a vendor, as CSV. */
export function importParts(system: SystemClient, vendor: string, rawBody: string): Promise<Answer> {
  return system.request("catalog", "POST", `/catalog/import/${vendor}`, {
    rawBody,
    headers: { "Content-Type": "text/csv" },
    adminToken: ADMIN_TOKEN,
  });
}

/** Uploads a PDF, with what its sender says of it. */
export function sendManual(
  system: SystemClient,
  content: Uint8Array,
  fields: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const given = Object.entries(fields).map(([name, value]) => ({ name, value }));
  return system.request("pipeline", "POST", "/api/upload-pdf", {
    rawBody: formOf([...given, { name: "file", filename: "manual.pdf", content }]),
    headers: { "Content-Type": FORM_TYPE },
    adminToken: ADMIN_TOKEN,
  });
}
