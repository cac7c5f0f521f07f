import { Webhook } from "svix";
import { PartlineError } from "../../mixins/errors.ts";

export interface SignedMessage {
  /** The exact text that was sent. */
  body: string;
  /** By lower-case name. */
  headers: Record<string, string>;
}

/**
 * Checks Svix's signature (HMAC-SHA-256 of id, time and body; five minutes' tolerance either way) and reads the body.
 * @returns a function that throws INVALID_SIGNATURE or INVALID_JSON
 */
export function createSignatureCheck(secret: string): (message: SignedMessage) => { id: string; payload: unknown } {
  const webhook = readSecret(secret);
  return ({ body, headers }) => {
    const { "svix-id": id = "", "svix-timestamp": timestamp = "", "svix-signature": signature = "" } = headers;
    try {
      const payload: unknown = webhook.verify(body, {
        "svix-id": id,
        "svix-timestamp": timestamp,
        "svix-signature": signature,
      });
      return { id, payload };
    } catch (error) {
      // The library reads the body after the signature is found good.
      if (error instanceof SyntaxError) throw new PartlineError("INVALID_JSON", "The webhook's body is not JSON");
      throw new PartlineError("INVALID_SIGNATURE", "The webhook's signature is missing, wrong or expired");
    }
  };
}

function readSecret(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    throw new Error("IDENTITY_WEBHOOK_SECRET is not a Svix secret: whsec_ followed by base64");
  }
}
