export { tearDown as default } from "./shared-systems.mjs";
