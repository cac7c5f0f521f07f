export { startEasyPostSandbox } from "./src/easypost/server.ts";
export { fillShop, type ShopToFill } from "./src/fill/shop.ts";
export { isUnanswered } from "./src/fill/until-answered.ts";
export { STAFF_EMAIL } from "./src/identity/users.ts";
export { startSandboxes } from "./src/start.ts";
