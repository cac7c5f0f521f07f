type Json = Record<string, unknown>;

const headerOf = (description: string, schema: Json = { type: "string" }): Json => ({ description, schema });

export const FILE_REQUEST_HEADERS: Json[] = [
  ["If-Match", "An ETag, or several: 412 when the file has none of them", "*"],
  ["If-None-Match", "An ETag, or several: 304 when the file still has one of them", '"n4bQgYhMfWWaL-qgxVrQ"'],
  ["Range", "A part of the file, as 206. A request for several ranges returns the whole file", "bytes=0-1023"],
  ["If-Range", "An ETag: the range counts only while the file has it", '"n4bQgYhMfWWaL-qgxVrQ"'],
].map(([name, description, example]) => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string", examples: [example] },
}));

const FILE_HEADERS: Json = {
  "X-Request-Id": { $ref: "#/components/headers/RequestId" },
  ETag: headerOf("Strong: made from the content"),
  "Cache-Control": headerOf("How long it may be kept"),
};

export function fileResponses(types: readonly string[]): Json {
  const content = Object.fromEntries(types.map((type) => [type, {}]));
  const whole = { ...FILE_HEADERS, "Accept-Ranges": headerOf("Ranges can be asked for", { const: "bytes" }) };
  return {
    200: { description: "The file", headers: whole, content },
    206: {
      description: "The part that was asked for",
      headers: { ...whole, "Content-Range": headerOf("Which part, and of how many bytes") },
      content,
    },
    304: { description: "The file is the one that the client has", headers: FILE_HEADERS },
  };
}
