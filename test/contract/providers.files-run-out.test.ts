import { expect, test } from "@jest/globals";
import { withFewFiles } from "../support/few-files.ts";

test("a provider's library that could not be loaded, as files had run out, is loaded by the next request", async () => {
  const script = new URL("./providers.few-files.ts", import.meta.url);
  expect(await withFewFiles(script)).toEqual([
    ...["failed", "PROVIDER_ERROR"],
    ...["StripeSignatureVerificationError", "[]"],
  ]);
}, 60_000);
