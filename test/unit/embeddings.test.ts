import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddings } from "../../mixins/embeddings/open.ts";
import {
  createWordPieces,
  readTokenizerJson,
  readVocabularyText,
} from "../../packages/parts-search/src/embeddings/word-pieces.ts";
import { loadSettings } from "../../broker/settings.ts";
import { readShopSettings } from "../../services/shared/settings.ts";

const load = (env: Record<string, string>) =>
  loadSettings({ DATA_DIR: mkdtempSync(join(tmpdir(), "partline-embeddings-")), ...env }, "1", readShopSettings([]));

describe("settings of vectors and of the chat model", () => {
  test("nothing set is nothing used", () => {
    expect(load({})).toMatchObject({ chat: undefined, embeddings: undefined });
    expect(openEmbeddings(undefined)).toBeUndefined();
  });

  test("an endpoint, or a folder, whose name is the model's where none is given", () => {
    const endpoint = { kind: "endpoint", baseUrl: "http://e/v1", model: "m" };
    expect(load({ EMBEDDINGS_BASE_URL: "http://e/v1/", EMBEDDINGS_MODEL: "m" }).embeddings).toEqual(endpoint);
    const folder = { kind: "folder", folder: "/models/minilm", model: "minilm" };
    expect(load({ EMBEDDINGS_MODEL_DIR: "/models/minilm" }).embeddings).toEqual(folder);
    const chat = { baseUrl: "http://c/v1", model: "c", timeoutSeconds: 12 };
    expect(load({ LLM_BASE_URL: "http://c/v1", LLM_MODEL: "c" }).chat).toEqual(chat);
  });

  test("half of it stops the start", () => {
    expect(() => load({ LLM_BASE_URL: "http://c/v1" })).toThrow("LLM_MODEL is not set");
    expect(() => load({ LLM_MODEL: "c" })).toThrow("LLM_BASE_URL is not set");
    expect(() => load({ EMBEDDINGS_MODEL: "m" })).toThrow("EMBEDDINGS_BASE_URL is not set");
    expect(() => load({ EMBEDDINGS_BASE_URL: "http://e", EMBEDDINGS_MODEL: "m", EMBEDDINGS_MODEL_DIR: "/m" })).toThrow(
      "EMBEDDINGS_MODEL_DIR and EMBEDDINGS_BASE_URL are both set",
    );
  });
});

describe("an embeddings endpoint", () => {
  let server: Server;
  let url = "";
  let answer: (input: string[]) => unknown = () => ({});
  const asked: { authorization?: string; body: { model: string; input: string[] } }[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      let text = "";
      request
        .on("data", (chunk: Buffer) => (text += chunk.toString()))
        .on("end", () => {
          const body = JSON.parse(text) as { model: string; input: string[] };
          asked.push({ authorization: request.headers.authorization, body });
          response.setHeader("content-type", "application/json").end(JSON.stringify(answer(body.input)));
        });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  afterAll(() => void server.close());
  const open = () => openEmbeddings({ kind: "endpoint", baseUrl: url, apiKey: "secret-key", model: "small" })!;

  test("vectors come in the order of the texts also if the answer has another, of length 1, in batches", async () => {
    answer = (input) => ({ data: input.map((text, index) => ({ index, embedding: [Number(text), 0, 4] })).reverse() });
    asked.length = 0;
    const vectors = await open().embed(Array.from({ length: 100 }, (_, at) => String(at)));
    expect(vectors).toHaveLength(100);
    expect([...vectors[3]!].map((value) => Number(value.toFixed(3)))).toEqual([0.6, 0, 0.8]);
    expect(asked.map(({ body }) => body.input.length)).toEqual([64, 36]);
    expect(asked[0]).toMatchObject({ authorization: "Bearer secret-key", body: { model: "small" } });
  });

  test.each([
    ["one is missing", (input: string[]) => ({ data: input.slice(1).map((_, index) => ({ index, embedding: [1] })) })],
    ["no numbers", () => ({ data: [{ index: 0, embedding: ["a"] }] })],
    ["none at all", () => ({ error: "no" })],
    ["of different sizes", () => ({ data: [[1], [1, 2]].map((embedding, index) => ({ index, embedding })) })],
  ])("rubbish is reported as such, without the key: %s", async (_, rubbish) => {
    answer = rubbish;
    const embedding = open().embed(["a", "b"], { deadlineMs: 300 });
    const failure: unknown = await embedding.catch((error: unknown) => error);
    const message = expect.stringContaining("gave an answer that cannot be read");
    expect(failure).toMatchObject({ code: "PROVIDER_ERROR", message });
    expect(JSON.stringify(failure)).not.toContain("secret-key");
  });
});

describe("a model in a folder", () => {
  test("what is missing is named", async () => {
    const folder = mkdtempSync(join(tmpdir(), "partline-model-"));
    const model = openEmbeddings({ kind: "folder", folder, model: "m" })!;
    await expect(model.embed(["a"])).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      message: `The embeddings model cannot be run: there is no model.onnx in ${folder}`,
    });
    await model.close();
  });

  test("an uninstalled runtime is reported with what to do", async () => {
    const folder = mkdtempSync(join(tmpdir(), "partline-model-"));
    writeFileSync(join(folder, "model.onnx"), "");
    writeFileSync(join(folder, "vocab.txt"), "[CLS]\n[SEP]\n[UNK]\n");
    const model = openEmbeddings({ kind: "folder", folder, model: "m" })!;
    await expect(model.embed(["a"])).rejects.toThrow("npm install --no-save onnxruntime-node");
    await model.close();
  });
});

describe("word pieces", () => {
  const vocabulary = ["[CLS]", "[SEP]", "[UNK]", "starter", "re", "##coil", ",", "un", "##aff", "##able"];
  const { encode } = createWordPieces(readVocabularyText(vocabulary.join("\n")));
  const pieces = (text: string, longest = 20) => encode(text, longest).map((id) => vocabulary[id]);

  test("longest pieces first, case and accents aside, what is not known as one mark", () => {
    expect(pieces("Stárter, RECOIL")).toEqual(["[CLS]", "starter", ",", "re", "##coil", "[SEP]"]);
    expect(pieces("unaffable xyz")).toEqual(["[CLS]", "un", "##aff", "##able", "[UNK]", "[SEP]"]);
    expect(pieces("")).toEqual(["[CLS]", "[SEP]"]);
  });

  test("a long text is cut, its end mark is not", () => {
    expect(pieces("starter starter starter starter", 4)).toEqual(["[CLS]", "starter", "starter", "[SEP]"]);
  });

  test("another kind of tokenizer is refused by name", () => {
    const other = '{"model":{"type":"BPE","vocab":{}}}';
    expect(() => readTokenizerJson(other)).toThrow("tokenizer.json is of a BPE tokenizer");
    const cased = '{"model":{"type":"WordPiece","vocab":{"a":0}},"normalizer":{"lowercase":false}}';
    expect(readTokenizerJson(cased).lowerCase).toBe(false);
  });
});
