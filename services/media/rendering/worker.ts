import { serveParent } from "@partline/toolkit";
import { render } from "./render.ts";

serveParent(render);
