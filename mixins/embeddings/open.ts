import { createEndpointEmbeddings, type EndpointWatch } from "./endpoint.ts";
import { createFolderEmbeddings } from "./onnx/folder.ts";
import type { Embeddings, EmbeddingsSource } from "./port.ts";

/** Nothing is loaded or asked before the first text. Returns undefined without a source. */
export function openEmbeddings(source: EmbeddingsSource | undefined, watch?: EndpointWatch): Embeddings | undefined {
  switch (source?.kind) {
    case "endpoint":
      return createEndpointEmbeddings(source, watch);
    case "folder":
      return createFolderEmbeddings(source);
    case undefined:
      return undefined;
  }
}
