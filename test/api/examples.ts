import { beforeAll, expect, test } from "@jest/globals";
import { ENTRY_POINTS, type EntryPoint } from "../../broker/contract/define.ts";
import { quarters } from "../support/images.ts";
import { saying, writtenPdf } from "../support/pdf.ts";
import { ADMIN_TOKEN, type SystemClient } from "../support/system.ts";

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  example?: unknown;
  schema: { examples?: unknown[] };
}
interface Operation {
  operationId: string;
  parameters?: (Parameter & { $ref?: string })[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  security?: Record<string, unknown>[];
}
type Outcome = [request: string, status: number, text: string];
interface Caller {
  system: SystemClient;
  customer: string;
}

/**
 * Of what is there only once somebody has made it: an order, a job, a manual with its machines and figures, a picture,
 * an older index, what the provider has.
 */
const NOT_THERE_YET = [
  "{orderId}",
  "{purchaseId}",
  "/packing-slips.pdf",
  "{endpointId}",
  "{keyId}",
  "{token}",
  "/guest-data/",
  "{batch_id}",
  "{sha256}",
  "{model}",
  "{figure}",
  "{id}",
  "{buildId}",
  "{syncId}",
  "{importId}",
  "{nodeId}",
  "{paymentIntentId}",
  "{sessionId}",
  "{aggregate_id}",
  "{partNumber}",
  "{cartId}",
  "/replace",
  "/api/payment-intent",
  "/api/admin/search/rollback",
];
/** Parameters that must not be given together. */
const INSTEAD_OF: Readonly<Record<string, string>> = { part: "model" };
/** Only the provider can sign them. */
const SIGNED = "/webhooks/";
/** Operations that are for IDENTITY_MODE=mail; with a provider, as here, they refuse. */
const SIGN_IN_BY_MAIL = ["post /api/users/sign-in-links", "post /api/users/tokens", "delete /api/users/me"];
/** Needs one of two fields that may be left out; its own walk: delivery.test.ts. */
const NEEDS_ONE_OF_TWO = "post /api/orders/look-up";
/** What makes comes before what reads, and that before what removes. */
const METHODS = ["put", "post", "patch", "get", "delete"];

/** Operations that an entry point has taken: one action takes them for all (test/unit/gateway/routes.test.ts). */
const taken = new Set<string>();

/**
 * Sends what Swagger UI would, and then each parameter that may be left out by itself. Gives the answers that refuse.
 */
async function sendExamples(
  { system, customer }: Caller,
  { entry, method, path, operation }: { entry: EntryPoint; method: string; path: string; operation: Operation },
): Promise<Outcome[]> {
  const { parameters = [], requestBody } = operation;
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters.find((one) => one.name === name)!.example)),
  );
  const inQuery = parameters.filter(({ in: place }) => place === "query");
  const filledIn = inQuery.filter(({ example }) => example !== undefined);
  const read = `${method} ${path} ${JSON.stringify([inQuery, requestBody])}`;
  if (taken.has(read)) return [];
  taken.add(read);
  const others = inQuery.filter((parameter) => !filledIn.includes(parameter));
  const queries = [
    filledIn,
    ...others.map((other) => [...filledIn.filter(({ name }) => name !== INSTEAD_OF[other.name]), other]),
  ];
  // Pictures of several types may be sent, with one picture; a workbook has no example.
  const bodies = Object.entries(requestBody?.content ?? {}).filter(
    ([type], index) => index === 0 || !/^(image\/|\*)|spreadsheetml/.test(type),
  );
  const refused: Outcome[] = [];
  for (const [type, { example }] of bodies.length > 0 ? bodies : [["", {}] as const]) {
    for (const query of queries) {
      const { body, typed } = await createBody(type, example);
      const url = `${system.url(entry)}${target}?${query.flatMap(listPairs).join("&")}`;
      const response = await fetch(url, {
        method: method.toUpperCase(),
        redirect: "manual",
        headers: { ...createHeaders(operation, customer), ...typed },
        body,
      });
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
      const text = isStream ? "" : (await response.text()).slice(0, 300);
      await response.body?.cancel().catch(() => undefined);
      // Their own walk: settings.test.ts.
      const isOfMail = SIGN_IN_BY_MAIL.includes(`${method} ${path}`) && [403, 404].includes(response.status);
      const isAbsent = response.status === 404 && NOT_THERE_YET.some((part) => path.includes(part));
      const isHalf = `${method} ${path}` === NEEDS_ONE_OF_TWO && response.status === 400;
      if (response.status >= 400 && response.status !== 409 && !isAbsent && !isOfMail && !isHalf)
        refused.push([`${method} ${url}`, response.status, text]);
    }
  }
  return refused;
}

function listPairs({ name, schema }: Parameter): string[] {
  return [schema.examples![0]].flat().map((value) => `${name}=${encodeURIComponent(String(value))}`);
}

function createHeaders({ parameters = [], security = [] }: Operation, customer: string): Record<string, string> {
  const sent = parameters.filter(({ in: place, example }) => place === "header" && example !== undefined);
  const takes = (scheme: string): boolean => security.some((one) => scheme in one);
  return {
    ...Object.fromEntries(sent.map(({ name, example }) => [name, String(example)])),
    ...(takes("sessionId") || security.length === 0
      ? {}
      : takes("adminToken")
        ? { "X-Admin-Token": ADMIN_TOKEN }
        : { Authorization: `Bearer ${customer}` }),
  };
}

type Sent = { body?: string | Buffer | FormData; typed?: Record<string, string> };

async function createBody(type: string, example: unknown): Promise<Sent> {
  if (type === "") return {};
  if (type === "multipart/form-data") {
    const form = new FormData();
    form.set(
      "file",
      new Blob([new Uint8Array(writtenPdf([saying("Parts list")]))], { type: "application/pdf" }),
      "list.pdf",
    );
    return { body: form };
  }
  if (type.startsWith("image/"))
    return { body: await quarters(60, 40).png().toBuffer(), typed: { "Content-Type": "image/png" } };
  return { body: typeof example === "string" ? example : JSON.stringify(example), typed: { "Content-Type": type } };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter> };
}

/** Every example of the documents, which a system takes that was started for them alone. */
export function testExamples(system: SystemClient): void {
  let customer: string;
  beforeAll(async () => {
    customer = await system.token("customer");
  });

  test.each(ENTRY_POINTS)(
    "%s takes every example of its document that no other has taken",
    async (entry) => {
      const { paths, components } = (await system.request(entry, "GET", "/openapi.json")).body as Document;
      const operations = Object.entries(paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
      );
      operations.sort((a, b) => METHODS.indexOf(a.method) - METHODS.indexOf(b.method));
      const refused: Outcome[] = [];
      for (const { method, path, operation } of operations) {
        if (path.startsWith(SIGNED)) continue;
        const parameters = (operation.parameters ?? []).map((one) =>
          one.$ref ? components.parameters[one.$ref.split("/").at(-1)!]! : one,
        );
        const request = { entry, method, path, operation: { ...operation, parameters } };
        refused.push(...(await sendExamples({ system, customer }, request)));
      }
      expect(refused).toEqual([]);
    },
    300_000,
  );

  test("the example of a checkout opens a session", async () => {
    const { body } = await system.request("gateway", "GET", "/openapi.json");
    const { example } = body.paths["/api/checkout/session"].post.requestBody.content["application/json"];
    const answer = await system.request("gateway", "POST", "/api/checkout/session", { body: example });
    expect([answer.status, answer.body.data?.url]).toEqual([200, expect.stringMatching(/^http/)]);
  });
}
