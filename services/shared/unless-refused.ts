import { GivenUp } from "@partline/durable";
import { providerFailure } from "../../mixins/payment-provider/errors.ts";

/** Ends work that is repeated without end once the provider refuses it. @throws GivenUp */
export async function giveUpIfRefused<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw providerFailure(error) === "refused" ? new GivenUp((error as Error).message, { cause: error }) : error;
  });
}
