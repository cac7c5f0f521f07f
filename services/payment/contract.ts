import { defineService } from "../../broker/contract/define.ts";

export const paymentContract = defineService({
  name: "payment",
  summary: "",
  actions: {},
});
