import { defineService } from "../../broker/contract/define.ts";

export const searchContract = defineService({
  name: "search",
  summary: "",
  actions: {},
});
