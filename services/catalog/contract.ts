import { defineService } from "../../broker/contract/define.ts";

export const catalogContract = defineService({
  name: "catalog",
  summary: "",
  actions: {},
});
