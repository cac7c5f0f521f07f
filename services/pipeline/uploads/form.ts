import { finished, type Readable } from "node:stream";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { validationFailed, type FieldProblem } from "../../../mixins/errors.ts";
import { isSafeText } from "@partline/parts-language";
import type { GivenFacts } from "../collections.ts";
import { MOST_MODELS } from "../limits.ts";
import { equipmentRule, manufacturerRule } from "../resources.ts";
import { toBaseName } from "./filename.ts";
import { LEAST_PACE, watchPace } from "./pace.ts";

const FIELD_BYTES = 1_000;
const FACTS = ["equipment", "manufacturer"];
/** The parser leaves out a part whose names have a line break, and reports nothing. */
const MISSING = "The 'file' field is required; a file whose name has a line break in it is not taken.";

interface UploadForm extends GivenFacts {
  filename: string;
}

/**
 * Reads a form of a PDF, as `file` or under any other name, and of `equipment` and `manufacturer`, in any order. `keep`
 * gets the file as it arrives and a promise of the form; it is awaited before this returns or throws. @throws VALIDATION_FAILED naming the
 * field, TIMEOUT if it comes too slowly, what `keep` throws, and what the stream throws
 */
export async function receiveForm<T>(
  stream: Readable | undefined,
  contentType: string,
  keep: (file: AsyncIterable<Uint8Array>, form: Promise<UploadForm>) => Promise<T>,
  pace = LEAST_PACE,
): Promise<{ form: UploadForm; kept: T }> {
  const problems: FieldProblem[] = [];
  const fields = new Map<string, string[]>();
  const parser = createParser(contentType);
  let upload: { file: Readable; filename: string } | undefined;
  let keeping: Promise<T> | undefined;
  const parsing = Promise.withResolvers<void>();
  const form = parsing.promise.then(() => toForm(upload?.filename, fields, problems));
  // It may be refused before anybody waits for it.
  form.catch(() => undefined);

  parser.on("field", (name, value, nameTruncated, valueTruncated) => {
    if (nameTruncated || valueTruncated)
      problems.push({ field: toShownName(name), message: `The '${toShownName(name)}' field is too long.` });
    else fields.set(name, [...(fields.get(name) ?? []), value]);
  });
  parser.on("file", (name, file, filename) => {
    // It breaks off with the form, which reports why; by then nobody may read it any more.
    file.on("error", () => undefined);
    // The specification names no field, so clients guess: the one file of a form is the PDF.
    if (!upload && !FACTS.includes(name)) {
      upload = { file, filename: toBaseName(filename) };
      keeping = keep(file, form);
      keeping.catch(parsing.reject);
      return;
    }
    file.resume();
    if (FACTS.includes(name)) problems.push(createNotAllowedProblem(name));
    else problems.push({ field: toShownName(name), message: "One file can be sent at a time." });
  });
  for (const limit of ["partsLimit", "fieldsLimit"] as const) {
    parser.on(limit, () => {
      // The parser would read on through all that comes behind.
      stop?.();
      parsing.reject(validationFailed({ field: "body", message: "The form has too many fields." }));
    });
  }
  parser.on("finish", () => parsing.resolve());
  parser.on("error", () =>
    parsing.reject(validationFailed({ field: "body", message: "The body is not a whole form." })),
  );

  const onBroken = (error: Error): void => {
    upload?.file.destroy(error);
    parsing.reject(error);
  };
  const stop = stream && feed(stream, parser, onBroken);
  const endWatch = stream && watchPace(stream, pace, () => parser.writableLength > 0, onBroken);
  if (!stream) parser.end();
  try {
    const result = await form;
    return { form: result, kept: await keeping! };
  } catch (error) {
    upload?.file.destroy();
    // What it has put away is taken away before this is answered.
    await keeping?.catch(() => undefined);
    throw error;
  } finally {
    endWatch?.();
    stop?.();
  }
}

function createParser(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      preservePath: true,
      limits: {
        fieldNameSize: 100,
        fieldSize: FIELD_BYTES,
        fields: MOST_MODELS + 10,
        parts: MOST_MODELS + 20,
        headerPairs: 50,
      },
    });
  } catch {
    throw validationFailed({ field: "Content-Type", message: "The Content-Type must name the boundary of the form." });
  }
}

/** Feeds the parser. The function that it returns drains the request, which can then still be answered. */
function feed(stream: Readable, parser: BusboyInstance, onBroken: (error: Error) => void): () => void {
  const forget = finished(stream, { writable: false }, (error) => error && onBroken(error));
  stream.pipe(parser);
  return () => {
    forget();
    stream.unpipe(parser);
    stream.on("error", () => undefined).resume();
  };
}

/** @throws VALIDATION_FAILED */
function toForm(
  filename: string | undefined,
  fields: ReadonlyMap<string, string[]>,
  problems: FieldProblem[],
): UploadForm {
  const allProblems = [...problems];
  // Forms in browsers, Swagger UI's too, send a field that was left empty.
  const filled = [...fields].map(
    ([name, values]) => [name, values.map((value) => value.trim()).filter(Boolean)] as const,
  );
  const { equipment = [], manufacturer = [], ...otherFields } = Object.fromEntries(filled);
  for (const name of Object.keys(otherFields))
    allProblems.push(
      name === "file" ? { field: name, message: "The 'file' field must be a file." } : createNotAllowedProblem(name),
    );
  if (filename === undefined && !("file" in otherFields) && !allProblems.some(({ field }) => field === "file"))
    allProblems.push({ field: "file", message: MISSING });
  if (equipment.length > MOST_MODELS)
    allProblems.push({ field: "equipment", message: `The 'equipment' field must be at most ${MOST_MODELS} models.` });
  if (manufacturer.length > 1)
    allProblems.push({ field: "manufacturer", message: "The 'manufacturer' field can be sent once." });
  const values = [
    ...equipment.map((value) => ["equipment", value, equipmentRule.max] as const),
    ...manufacturer.map((value) => ["manufacturer", value, manufacturerRule.max] as const),
  ];
  for (const [field, value, max] of values) {
    if (value.length > max || !isSafeText(value))
      allProblems.push({ field, message: `The '${field}' field must be 1 to ${max} characters.` });
  }
  if (allProblems.length > 0) throw validationFailed(allProblems as [FieldProblem, ...FieldProblem[]]);
  return { filename: filename!, equipment: [...new Set(equipment)], manufacturer: manufacturer[0] };
}

function createNotAllowedProblem(name: string): FieldProblem {
  return { field: toShownName(name), message: `The '${toShownName(name)}' field is not allowed.` };
}

function toShownName(name: string): string {
  return isSafeText(name) ? name.slice(0, 100) : "?";
}
