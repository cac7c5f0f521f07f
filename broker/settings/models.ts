import { basename, resolve } from "node:path";
import type { EmbeddingsSource } from "../../mixins/embeddings/port.ts";
import type { SettingsReader } from "./reader.ts";

/** An OpenAI-compatible endpoint. */
export interface ChatModelLocation {
  baseUrl: string;
  apiKey?: string;
  model: string;
  /** Longest wait of an answer for it. */
  timeoutSeconds: number;
}

export function readChat(read: SettingsReader): ChatModelLocation | undefined {
  const baseUrl = read.url("LLM_BASE_URL");
  const model = read.text("LLM_MODEL");
  const timeoutSeconds = read.integer("LLM_TIMEOUT_SECONDS", { min: 1, max: 60 }) ?? 12;
  const apiKey = read.secret("LLM_API_KEY");
  if (baseUrl === undefined) {
    // A model without an endpoint is a mistake that would show only in composed answers.
    if (model !== undefined || apiKey !== undefined) read.missing("LLM_BASE_URL");
    return undefined;
  }
  return { baseUrl, apiKey, model: model ?? read.missing("LLM_MODEL"), timeoutSeconds };
}

export function readEmbeddings(read: SettingsReader): EmbeddingsSource | undefined {
  const baseUrl = read.url("EMBEDDINGS_BASE_URL");
  const folder = read.text("EMBEDDINGS_MODEL_DIR");
  const model = read.text("EMBEDDINGS_MODEL");
  const apiKey = read.secret("EMBEDDINGS_API_KEY");
  if (baseUrl !== undefined && folder !== undefined)
    read.unusable("EMBEDDINGS_MODEL_DIR", "and EMBEDDINGS_BASE_URL are both set: it is one or the other");
  if (baseUrl !== undefined)
    return { kind: "endpoint", baseUrl, apiKey, model: model ?? read.missing("EMBEDDINGS_MODEL") };
  if (folder !== undefined)
    return { kind: "folder", folder: resolve(folder), model: model ?? basename(resolve(folder)) };
  if (model !== undefined || apiKey !== undefined) read.missing("EMBEDDINGS_BASE_URL");
  return undefined;
}
