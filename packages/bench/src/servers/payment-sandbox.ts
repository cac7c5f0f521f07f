/** The payment sandbox in a process of its own, which sends no webhooks: `payment-sandbox.ts SECRET_KEY`. */
import { startPaymentSandbox } from "../../../sandbox/src/payment/server.ts";

const [secretKey = ""] = process.argv.slice(2);
const { port } = await startPaymentSandbox({
  host: "127.0.0.1",
  port: 0,
  secretKey,
  webhookSecret: "whsec_unused",
  webhookUrls: [],
});
console.log(port);
