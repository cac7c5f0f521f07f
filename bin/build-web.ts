import { APPS, type App } from "../broker/contract/define.ts";
import { builtApp } from "../gateway/web/build.ts";
import { fail } from "./fail.ts";

/** Builds the pages before the first start, for an image that nobody can write to. */
try {
  for (const app of Object.keys(APPS) as App[]) await builtApp(app);
} catch (error) {
  fail(error);
}
