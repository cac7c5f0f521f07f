import { basename, resolve } from "node:path";
import type { ChatModelLocation } from "@partline/parts-desk";
import type { EmbeddingsSource } from "../../mixins/embeddings/port.ts";
import type { SettingsReader } from "./reader.ts";

export function readChat(reader: SettingsReader): ChatModelLocation | undefined {
  const baseUrl = reader.getUrl("LLM_BASE_URL");
  const model = reader.getText("LLM_MODEL");
  const timeoutSeconds = reader.getInteger("LLM_TIMEOUT_SECONDS", { min: 1, max: 60 }) ?? 12;
  const apiKey = reader.getSecret("LLM_API_KEY");
  if (baseUrl === undefined) {
    // A model without an endpoint is a mistake that would show only in composed answers.
    if (model !== undefined || apiKey !== undefined) reader.noteMissing("LLM_BASE_URL");
    return undefined;
  }
  return { baseUrl, apiKey, model: model ?? reader.noteMissing("LLM_MODEL"), timeoutSeconds };
}

export function readEmbeddings(reader: SettingsReader): EmbeddingsSource | undefined {
  const baseUrl = reader.getUrl("EMBEDDINGS_BASE_URL");
  const folder = reader.getText("EMBEDDINGS_MODEL_DIR");
  const model = reader.getText("EMBEDDINGS_MODEL");
  const apiKey = reader.getSecret("EMBEDDINGS_API_KEY");
  if (baseUrl !== undefined && folder !== undefined)
    reader.noteUnusable("EMBEDDINGS_MODEL_DIR", "and EMBEDDINGS_BASE_URL are both set: it is one or the other");
  if (baseUrl !== undefined)
    return { kind: "endpoint", baseUrl, apiKey, model: model ?? reader.noteMissing("EMBEDDINGS_MODEL") };
  if (folder !== undefined)
    return { kind: "folder", folder: resolve(folder), model: model ?? basename(resolve(folder)) };
  if (model !== undefined || apiKey !== undefined) reader.noteMissing("EMBEDDINGS_BASE_URL");
  return undefined;
}
