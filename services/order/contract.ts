import { defineService } from "../../broker/contract/define.ts";

export const orderContract = defineService({
  name: "order",
  summary: "",
  actions: {},
});
