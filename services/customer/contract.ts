import { defineService } from "../../broker/contract/define.ts";

export const customerContract = defineService({
  name: "customer",
  summary: "",
  actions: {},
});
