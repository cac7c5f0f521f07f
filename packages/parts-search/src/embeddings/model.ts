import { toUnitVector } from "../passage-index/unit-vector.ts";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getAt } from "@partline/toolkit";
import { createWordPieces, readTokenizerJson, readVocabularyText, type WordPieces } from "./word-pieces.ts";

/** Runs ONNX models. The operator installs it: it has some 300 MB. A string: no types are looked for. */
const RUNTIME: string = "onnxruntime-node";
/** Pieces of a text that the model reads: small sentence models are trained with as many. */
const LONGEST = 256;

/** The used part of onnxruntime-node, whose own types are missing if it is not installed. */
interface Tensor {
  data: ArrayLike<number>;
  dims: readonly number[];
}
interface Session {
  inputNames: readonly string[];
  outputNames: readonly string[];
  run(feeds: Record<string, Tensor>): Promise<Record<string, Tensor>>;
}
interface Runtime {
  InferenceSession: { create(path: string, options: { intraOpNumThreads: number }): Promise<Session> };
  Tensor: new (type: "int64", data: BigInt64Array, dims: number[]) => Tensor;
}

/**
 * Loads a sentence model like BERT: `model.onnx` with `tokenizer.json` or `vocab.txt` beside it.
 * @throws Error saying what is missing or unusable
 */
export async function loadModel(folder: string) {
  const path = [join(folder, "model.onnx"), join(folder, "onnx", "model.onnx")].find((file) => existsSync(file));
  if (path === undefined) throw new Error(`there is no model.onnx in ${folder}`);
  const pieces = readPieces(folder);
  const { InferenceSession, Tensor } = await loadRuntime();
  const session = await InferenceSession.create(path, { intraOpNumThreads: 1 });
  const embedOne = async (text: string): Promise<Float32Array> => {
    const ids = pieces.encode(text, LONGEST);
    const inputs: Record<string, BigInt64Array> = {
      input_ids: BigInt64Array.from(ids, BigInt),
      attention_mask: new BigInt64Array(ids.length).fill(1n),
      token_type_ids: new BigInt64Array(ids.length),
    };
    const feeds = Object.fromEntries(
      session.inputNames.map((name) => [
        name,
        new Tensor("int64", inputs[name] ?? unknownInput(name), [1, ids.length]),
      ]),
    );
    const output = (await session.run(feeds))[getAt(session.outputNames, 0)]!;
    return toUnitVector(pooled(output));
  };
  return {
    async embed(texts: readonly string[]): Promise<Float32Array[]> {
      const vectors: Float32Array[] = [];
      for (const text of texts) vectors.push(await embedOne(text));
      return vectors;
    },
  };
}

function unknownInput(name: string): never {
  throw new Error(`the model wants an input "${name}" that sentence models do not have`);
}

/** Returns the mean over the pieces of `[1, pieces, dimensions]`; `[1, dimensions]` is a sentence's already. */
function pooled({ data, dims }: Tensor): Float32Array {
  const dimensions = getAt(dims, -1);
  const count = data.length / dimensions;
  const mean = new Float32Array(dimensions);
  for (let index = 0; index < data.length; index += 1) mean[index % dimensions]! += data[index]! / count;
  return mean;
}

function readPieces(folder: string): WordPieces {
  const tokenizer = join(folder, "tokenizer.json");
  if (existsSync(tokenizer)) {
    const { vocabulary, lowerCase } = readTokenizerJson(readFileSync(tokenizer, "utf8"));
    return createWordPieces(vocabulary, { lowerCase });
  }
  const words = join(folder, "vocab.txt");
  if (existsSync(words)) return createWordPieces(readVocabularyText(readFileSync(words, "utf8")));
  throw new Error(`there is neither tokenizer.json nor vocab.txt in ${folder}`);
}

async function loadRuntime(): Promise<Runtime> {
  try {
    const loaded = (await import(RUNTIME)) as Runtime & { default?: Runtime };
    return loaded.default ?? loaded;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Error(
      `the package ${RUNTIME} is not installed: \`npm install --no-save ${RUNTIME}\` in Partline's folder`,
      { cause: error },
    );
  }
}
