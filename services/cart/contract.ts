import { defineService } from "../../broker/contract/define.ts";

export const cartContract = defineService({
  name: "cart",
  summary: "",
  actions: {},
});
