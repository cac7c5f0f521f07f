import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createPaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import { createEasyPostRates } from "../../mixins/shipping-rates/easypost.ts";
import { giveFilesBack, outcomeOf, takeFiles } from "../support/few-files.ts";

/** Asks the libraries of providers, which the first request loads, when files have run out and again when not. */

const easyPost = createServer((_, response) =>
  response.setHeader("content-type", "application/json").end('{"rates":[]}'),
).listen(0, "127.0.0.1");
await once(easyPost, "listening");
const address = `http://127.0.0.1:${(easyPost.address() as AddressInfo).port}`;
const payments = createPaymentProvider({ secretKey: "sk_test", apiBase: address, webhookSecret: "whsec" });
const place = { name: "", street: "", city: "", state: "", postalCode: "", country: "US" };
const rates = createEasyPostRates({ apiKey: "key", baseUrl: `${address}/`, from: place });
const consignment = { weightGrams: 1, subtotal: 1, hazmat: false, oversize: false };
const outcomes: string[] = [];
const ask = async (): Promise<void> => {
  // Nothing was signed: the library says so once it is there.
  await payments
    .verifyWebhook("{}", "t=1,v1=00")
    .catch(({ type = "failed" }: Error & { type?: string }) => outcomes.push(type));
  outcomes.push(await outcomeOf(rates.methods(consignment, place), JSON.stringify));
};

takeFiles();
await ask();
giveFilesBack();
await ask();
process.stdout.write(JSON.stringify(outcomes));
process.exit(0);
