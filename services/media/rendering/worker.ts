import { serveParent } from "../../../mixins/child-process.ts";
import { render } from "./render.ts";

serveParent(render);
