export { ASSETS_PATH, type BuiltApp, builtApp } from "./src/build.ts";
export type { PageUser, WebApp } from "./src/shared/app.ts";
export { localPath } from "./src/shared/local-path.ts";
