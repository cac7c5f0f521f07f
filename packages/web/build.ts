import { APPS, type App } from "../../broker/contract/define.ts";
import { builtApp } from "./src/build.ts";
import { fail } from "../../bin/fail.ts";

/** Builds the pages before the first start, for an image that nobody can write to. */
try {
  for (const app of Object.keys(APPS) as App[]) await builtApp(app);
} catch (error) {
  fail(error);
}
