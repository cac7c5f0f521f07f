import { serveParent } from "../../../mixins/child-process.ts";
import { assembleFiles } from "./assemble-files.ts";

serveParent(assembleFiles);
