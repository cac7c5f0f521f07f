import { defineService } from "../../broker/contract/define.ts";

export const userContract = defineService({
  name: "user",
  summary: "",
  actions: {},
});
