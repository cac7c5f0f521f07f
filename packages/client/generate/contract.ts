import { ANY_TYPE, SchemaWriter, type JsonSchema, findStreamedEvent } from "@partline/api-contracts";
import { ENTRY_POINTS, type ServiceContract } from "../../../broker/contract/define.ts";
import { toPlainAccess } from "../../../gateway/auth/access.ts";
import { listErrorCodes } from "../../../gateway/docs/openapi/responses.ts";
import { createRouteTable, type Route } from "../../../gateway/http/routes.ts";
import { ERROR_CATALOGUE, type ErrorCode } from "../../../mixins/errors.ts";
import {
  writeComment,
  writeIndented,
  quoteKey,
  writeObject,
  writeType,
  writeUnion,
  type Schema,
} from "./typescript.ts";

/** How a client sends a route's request and reads its answer: see packages/client/src/request.ts. */
interface Operation {
  service: string;
  name: string;
  entry: string;
  route: Route;
  flags: string;
}

/** Returns what the contracts make of the client: types, and the routes as the client reads them. */
export function writeContract(contracts: readonly ServiceContract[]): string {
  const operations = listOperations(contracts);
  const schemas = new SchemaWriter();
  const services = Map.groupBy(operations, ({ service }) => service);
  const inputs: string[] = [];
  const functions = [...services].map(([service, list]) => {
    const members = list.map((operation) => {
      const input = describeInput(operation, schemas);
      if (input) inputs.push(`export interface ${nameInput(operation)} ${writeObject(input)}`);
      const { summary, description } = operation.route.definition;
      const params = input ? nameInput(operation) : "Record<string, never>";
      const optional = input?.required?.length ? "" : "?";
      return (
        writeComment(`${summary}.`, description, `\`${operation.route.method} ${operation.route.path}\``) +
        `${quoteKey(operation.name)}(params${optional}: ${params}, options?: CallOptions): ${writeResult(operation, schemas)};`
      );
    });
    const contract = contracts.find(({ name }) => nameService(name) === service);
    return `${writeComment(`${contract?.summary}.`)}${service}: {\n${members.join("\n\n")}\n};`;
  });
  const types = Object.entries(schemas.listComponents()).map(
    ([name, schema]) => `export interface ${name} ${writeObject(schema as Schema)}`,
  );
  const refusals = operations.map((operation) => listErrors(operation));
  const common = [...new Set(refusals.flat())].filter((code) => refusals.every((codes) => codes.includes(code)));
  const codes = operations.map((operation) => {
    const additional = listErrors(operation).filter((code) => !common.includes(code));
    const union = writeUnion(["CommonErrorCode", ...additional.map((code) => `"${code}"`)]);
    return `"${operation.service}.${operation.name}": ${union};`;
  });
  const text = [
    'import type { CallOptions, FileBody } from "./options.ts";',
    `${writeComment("What refusals say.")}export type ErrorCode = ${writeUnion(Object.keys(ERROR_CATALOGUE).map((code) => `"${code}"`))};`,
    `${writeComment("The refusals that every function may meet.")}export type CommonErrorCode = ${writeUnion(common.map((code) => `"${code}"`))};`,
    `${writeComment("The refusals of each function.")}export interface ErrorCodes {\n${codes.join("\n")}\n}`,
    `export type EntryPoint = ${writeUnion(ENTRY_POINTS.filter((entry) => entry !== "gateway").map((entry) => `"${entry}"`))};`,
    `${writeComment("A function for each route.")}export interface Partline {\n${functions.join("\n\n")}\n}`,
    ...inputs,
    ...types,
    `export const ROUTES: Record<string, Record<string, string>> = ${writeRoutes(services)};`,
  ].join("\n\n");
  return `${writeIndented(text)}\n`;
}

/** One for each action, at the gateway if it is there; a streamed answer is one of its own. */
function listOperations(contracts: readonly ServiceContract[]): Operation[] {
  const operations = new Map<string, Operation>();
  for (const entry of ENTRY_POINTS) {
    for (const route of createRouteTable(contracts, entry).routes) {
      // Webhooks are for those who sign them.
      if (route.bodyKind === "raw") continue;
      const operation = { service: nameService(route.service), entry, route };
      const add = (action: string, flags: string): void => {
        const name = action.slice(action.indexOf(".") + 1);
        if (!operations.has(action)) operations.set(action, { ...operation, name, flags });
      };
      add(route.action, writeFlags(route));
      if (route.streamed) add(route.streamed.action, "q");
    }
  }
  const order = contracts.flatMap(({ name, actions }) => Object.keys(actions).map((action) => `${name}.${action}`));
  return order.flatMap((action) => operations.get(action) ?? []);
}

function writeFlags({ http, method, bodyKind, definition }: Route): string {
  const repeats = definition.idempotent || ["GET", "PUT", "DELETE"].includes(method);
  return [
    http.envelope ? "e" : "",
    definition.once ? "k" : repeats ? "r" : "",
    http.answer === "file" || http.answer === "pages" ? "f" : http.answer === "event-stream" ? "s" : "",
    http.form ? "m" : bodyKind === "stream" ? "b" : "",
  ].join("");
}

/** All params in one object; undefined if there are none. */
function describeInput({ route }: Operation, schemas: SchemaWriter): Schema | undefined {
  const { fields, http, bodyKind } = route;
  const writeFields = (rules: Route["fields"]["path"]): Schema => schemas.writeFields(rules, "input");
  const parts = [writeFields(fields.path), writeFields(fields.query), writeFields(fields.body)];
  const body: JsonSchema = { $ref: "FileBody" };
  if (http.form) {
    parts.push(writeFields(http.form.fields));
    parts.push({ properties: { [http.form.file.name]: { $ref: "Blob" } }, required: [http.form.file.name] });
  } else if (bodyKind === "stream") {
    const types = http.consumes ?? [];
    const isAny = types.includes(ANY_TYPE);
    parts.push({
      properties: { body, contentType: isAny ? { type: "string" } : { enum: types } },
      required: isAny ? ["body"] : ["body", "contentType"],
    });
  }
  const properties = Object.fromEntries(parts.flatMap((part) => Object.entries(part.properties ?? {})));
  const required = parts.flatMap((part) => part.required ?? []);
  return Object.keys(properties).length > 0 ? { properties, required } : undefined;
}

function writeResult({ route, flags }: Operation, schemas: SchemaWriter): string {
  const { result } = route.definition;
  if (flags.includes("q")) {
    const ways = Object.entries(route.http.streamed?.events ?? {}).map(
      ([event, rule]) => `{ event: "${event}"; data: ${writeType(schemas.of(rule, "output"))} }`,
    );
    return `AsyncGenerator<${writeUnion(ways)}, void, undefined>`;
  }
  if (flags.includes("f")) return "Promise<Response>";
  const event = flags.includes("s") ? findStreamedEvent(result) : undefined;
  if (event) return `AsyncGenerator<${writeType(schemas.of(event, "output"))}, void, undefined>`;
  return `Promise<${writeType(schemas.of(result, "output"))}>`;
}

function listErrors({ route, entry }: Operation): ErrorCode[] {
  const access = toPlainAccess(route.http.access, entry as "gateway", { loopback: false, production: true });
  return listErrorCodes(route, access);
}

function writeRoutes(services: Map<string, Operation[]>): string {
  const writeRoute = ({ route, flags, entry }: Operation): string =>
    [route.method, route.path, flags || "-", ...(entry === "gateway" ? [] : [entry])].join(" ");
  const groups = [...services].map(
    ([service, list]) =>
      `${service}: {\n${list.map((operation) => `${quoteKey(operation.name)}: "${writeRoute(operation)}",`).join("\n")}\n},`,
  );
  return `{\n${groups.join("\n")}\n}`;
}

const nameService = (service: string): string => service.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const nameInput = ({ service, name }: Operation): string =>
  [service, name, "params"].map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
