import { defineService } from "../../broker/contract/define.ts";

export const eventstoreContract = defineService({
  name: "eventstore",
  summary: "",
  actions: {},
});
