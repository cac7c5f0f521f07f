import { describe, expect, test } from "@jest/globals";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { ENTRY_POINTS } from "../../../broker/contract/define.ts";
import { openApiDocument } from "../../../gateway/docs/openapi/document.ts";
import { createRouteTable } from "../../../gateway/http/routes.ts";
import { contracts } from "../../../services/all-contracts.ts";

const settings = { version: "1.2.3", loopback: true, production: false };

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required: boolean;
  example?: unknown;
  schema: { examples?: unknown[] };
}
type Content = Record<string, { schema?: object; example?: unknown; examples?: object }>;
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

/** What several entry points describe alike is looked at in the first of them. */
const seen = new Set<string>();
const described = ENTRY_POINTS.map((entry) => {
  const { paths, components } = JSON.parse(
    JSON.stringify(openApiDocument({ table: createRouteTable(contracts, entry), contracts, settings })),
  ) as { paths: Record<string, Record<string, Operation>>; components: { schemas: object } };
  const operations = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .filter((operation) => {
      const text = JSON.stringify(operation);
      return !seen.has(text) && seen.add(text);
    });
  return { entry, components, operations };
}).filter(({ operations }) => operations.length > 0);

describe.each(described)("The examples of the $entry entry point", ({ components, operations }) => {
  const ajv = formats.default(new Ajv2020({ strict: false, validateFormats: true }));
  const within = (part: object): string =>
    JSON.stringify(part).replaceAll("#/components/schemas/", "components#/$defs/");
  const parsed = (text: string): object => JSON.parse(text) as object;
  ajv.addSchema({ $id: "components", $defs: parsed(within(components.schemas)) });
  /** By the schema's text: most errors have one and the same. */
  const compiled = new Map<string, ValidateFunction>();
  const misfits = (schema: object, example: unknown): unknown => {
    const text = within(schema);
    const fits = compiled.get(text) ?? ajv.compile(parsed(text));
    compiled.set(text, fits);
    return fits(example) ? [] : fits.errors;
  };

  test.each(operations.map((operation) => [operation.operationId, operation] as const))(
    "of %s are there, and fit their schemas",
    (id, { parameters = [], requestBody, responses }) => {
      for (const { $ref, name, required, example, schema } of parameters) {
        if ($ref) continue;
        expect([name, schema.examples, misfits(schema, schema.examples?.[0])]).toEqual([name, [expect.anything()], []]);
        // What may be left out is not filled in by Swagger UI, except a model where a model or a part is needed.
        expect([name, example]).toEqual([
          name,
          required || (/^ai(Equipment|Diagrams)$/.test(id) && name === "model") ? schema.examples![0] : undefined,
        ]);
      }
      for (const [type, { schema = {}, example }] of Object.entries(requestBody?.content ?? {})) {
        if (type === "multipart/form-data" || /^(application\/octet-stream|image\/.*|\*\/\*)$|spreadsheetml/.test(type))
          continue;
        expect([type, example, misfits(schema, example)]).toEqual([type, expect.anything(), []]);
      }
      for (const [status, { content = {} }] of Object.entries(responses)) {
        for (const [type, { schema, example, examples }] of Object.entries(content)) {
          // What a file holds has no schema.
          if (type !== "application/json" || !schema) continue;
          expect([status, examples ?? example]).toEqual([status, expect.anything()]);
          if (!examples) expect([status, misfits(schema, example)]).toEqual([status, []]);
        }
      }
    },
  );

  test("fill in no field of a form that may be left out; its file is described by its type", () => {
    for (const { requestBody } of operations) {
      const form = requestBody?.content["multipart/form-data"];
      if (!form) continue;
      expect(JSON.stringify(form)).not.toMatch(/"(default|example)":|"examples":\[(?!""\]|\[\]\])/);
      const contentType = "application/pdf";
      expect(form).toMatchObject({
        encoding: { file: { contentType } },
        schema: { required: ["file"], properties: { file: { contentMediaType: contentType } } },
      });
    }
  });
});
