import { ANY_TYPE, ENTRY_POINTS, type ServiceContract } from "../../../broker/contract/define.ts";
import { findStreamedEvent } from "../../../broker/contract/event-stream.ts";
import { toPlainAccess } from "../../../gateway/auth/access.ts";
import { listErrorCodes } from "../../../gateway/docs/openapi/responses.ts";
import { SchemaWriter, type JsonSchema } from "../../../gateway/docs/openapi/schema.ts";
import { createRouteTable, type Route } from "../../../gateway/http/routes.ts";
import { ERROR_CATALOGUE, type ErrorCode } from "../../../mixins/errors.ts";
import { comment, key, objectOf, typeOf, union, type Schema } from "./typescript.ts";

/** How a client sends a route's request and reads its answer: see packages/client/src/request.ts. */
interface Operation {
  service: string;
  name: string;
  entry: string;
  route: Route;
  flags: string;
}

const HEAD = "// Made by `npm run docs` from the contracts of the services.";

/** Returns src/contract.ts of the client: types, and the routes as the client reads them. */
export function clientContract(contracts: readonly ServiceContract[]): string {
  const operations = operationsOf(contracts);
  const schemas = new SchemaWriter();
  const services = Map.groupBy(operations, ({ service }) => service);
  const inputs: string[] = [];
  const functions = [...services].map(([service, list]) => {
    const members = list.map((operation) => {
      const input = inputOf(operation, schemas);
      if (input) inputs.push(`export interface ${inputName(operation)} ${objectOf(input)}`);
      const { summary, description } = operation.route.definition;
      const params = input ? inputName(operation) : "Record<string, never>";
      const optional = input?.required?.length ? "" : "?";
      return (
        comment(`${summary}.`, description, `\`${operation.route.method} ${operation.route.path}\``) +
        `${key(operation.name)}(params${optional}: ${params}, options?: CallOptions): ${resultOf(operation, schemas)};`
      );
    });
    const { summary } = contracts.find(({ name }) => nameOf(name) === service)!;
    return `${comment(`${summary}.`)}${service}: {\n${members.join("\n\n")}\n};`;
  });
  const types = Object.entries(schemas.listComponents()).map(
    ([name, schema]) => `export interface ${name} ${objectOf(schema as Schema)}`,
  );
  const refusals = operations.map((operation) => errorsOf(operation));
  const common = refusals[0]!.filter((code) => refusals.every((codes) => codes.includes(code)));
  const codes = operations.map(({ service, name }, index) => {
    const own = refusals[index]!.filter((code) => !common.includes(code));
    return `"${service}.${name}": ${union(["CommonErrorCode", ...own.map((code) => `"${code}"`)])};`;
  });
  return `${[
    HEAD,
    'import type { CallOptions, FileBody } from "./options.ts";',
    `${comment("What refusals say.")}export type ErrorCode = ${union(Object.keys(ERROR_CATALOGUE).map((code) => `"${code}"`))};`,
    `${comment("The refusals that every function may meet.")}export type CommonErrorCode = ${union(common.map((code) => `"${code}"`))};`,
    `${comment("The refusals of each function.")}export interface ErrorCodes {\n${codes.join("\n")}\n}`,
    `export type EntryPoint = ${union(ENTRY_POINTS.filter((entry) => entry !== "gateway").map((entry) => `"${entry}"`))};`,
    `${comment("A function for each route.")}export interface Partline {\n${functions.join("\n\n")}\n}`,
    ...inputs,
    ...types,
    `export const ROUTES: Record<string, Record<string, string>> = ${routesOf(services)};`,
  ].join("\n\n")}\n`;
}

/** One for each action, at the gateway if it is there; a streamed answer is one of its own. */
function operationsOf(contracts: readonly ServiceContract[]): Operation[] {
  const byAction = new Map<string, Operation>();
  for (const entry of ENTRY_POINTS) {
    for (const route of createRouteTable(contracts, entry).routes) {
      // Webhooks are for those who sign them.
      if (route.bodyKind === "raw") continue;
      const operation = { service: nameOf(route.service), entry, route };
      const add = (action: string, flags: string): void => {
        const name = action.slice(action.indexOf(".") + 1);
        if (!byAction.has(action)) byAction.set(action, { ...operation, name, flags });
      };
      add(route.action, flagsOf(route));
      if (route.streamed) add(route.streamed.action, "q");
    }
  }
  const order = contracts.flatMap(({ name, actions }) => Object.keys(actions).map((action) => `${name}.${action}`));
  return order.flatMap((action) => byAction.get(action) ?? []);
}

function flagsOf({ http, method, bodyKind, definition }: Route): string {
  const repeats = definition.idempotent || ["GET", "PUT", "DELETE"].includes(method);
  return [
    http.envelope ? "e" : "",
    definition.once ? "k" : repeats ? "r" : "",
    http.answer === "file" || http.answer === "pages" ? "f" : http.answer === "event-stream" ? "s" : "",
    http.form ? "m" : bodyKind === "stream" ? "b" : "",
  ].join("");
}

/** All params in one object; undefined if there are none. */
function inputOf({ route }: Operation, schemas: SchemaWriter): Schema | undefined {
  const { fields, http, bodyKind } = route;
  const of = (rules: Route["fields"]["path"]) => schemas.writeFields(rules, "input") as Schema;
  const parts: Schema[] = [of(fields.path), of(fields.query), of(fields.body)];
  const body: JsonSchema = { $ref: "FileBody" };
  if (http.form) {
    parts.push(of(http.form.fields));
    parts.push({ properties: { [http.form.file.name]: { $ref: "Blob" } }, required: [http.form.file.name] });
  } else if (bodyKind === "stream") {
    const types = http.consumes ?? [];
    const isAny = types.includes(ANY_TYPE);
    parts.push({
      properties: { body, contentType: isAny ? { type: "string" } : { enum: types } },
      required: isAny ? ["body"] : ["body", "contentType"],
    });
  }
  const properties = Object.assign({}, ...parts.map((part) => part.properties)) as Schema["properties"];
  const required = parts.flatMap((part) => part.required ?? []);
  return Object.keys(properties!).length > 0 ? { properties: properties!, required } : undefined;
}

function resultOf({ route, flags }: Operation, schemas: SchemaWriter): string {
  const { result } = route.definition;
  if (flags.includes("q")) {
    const ways = Object.entries(route.http.streamed!.events).map(
      ([event, rule]) => `{ event: "${event}"; data: ${typeOf(schemas.of(rule, "output"))} }`,
    );
    return `AsyncGenerator<${union(ways)}, void, undefined>`;
  }
  if (flags.includes("f")) return "Promise<Response>";
  if (flags.includes("s"))
    return `AsyncGenerator<${typeOf(schemas.of(findStreamedEvent(result)!, "output"))}, void, undefined>`;
  return `Promise<${typeOf(schemas.of(result, "output"))}>`;
}

function errorsOf({ route, entry }: Operation): ErrorCode[] {
  const access = toPlainAccess(route.http.access, entry as "gateway", { loopback: false, production: true });
  return listErrorCodes(route, access);
}

function routesOf(services: Map<string, Operation[]>): string {
  const textOf = ({ route, flags, entry }: Operation): string =>
    [route.method, route.path, flags || "-", ...(entry === "gateway" ? [] : [entry])].join(" ");
  const groups = [...services].map(
    ([service, list]) =>
      `${service}: {\n${list.map((operation) => `${key(operation.name)}: "${textOf(operation)}",`).join("\n")}\n},`,
  );
  return `{\n${groups.join("\n")}\n}`;
}

const nameOf = (service: string): string => service.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const inputName = ({ service, name }: Operation): string =>
  [service, name, "params"].map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
