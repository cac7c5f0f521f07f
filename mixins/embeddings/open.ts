import { endpointEmbeddings, type EndpointWatch } from "./endpoint.ts";
import { folderEmbeddings } from "./onnx/folder.ts";
import type { Embeddings, EmbeddingsSource } from "./port.ts";

/** What the settings name; undefined where they name nothing. Nothing is loaded or asked before the first text. */
export function openEmbeddings(source: EmbeddingsSource | undefined, watch?: EndpointWatch): Embeddings | undefined {
  switch (source?.kind) {
    case "endpoint":
      return endpointEmbeddings(source, watch);
    case "folder":
      return folderEmbeddings(source);
    case undefined:
      return undefined;
  }
}
