/** Why a bank says no. */
export type Decline = { code: string; declineCode: string; message: string };

/** How one of the provider's well-known test payment methods behaves. */
export type TestMethod = {
  type: "card" | "us_bank_account";
  brand: string;
  last4: string;
  funding: "credit" | "debit";
  /** Refused when charged; `onAttach` too when it is saved. */
  decline?: Decline & { onAttach: boolean };
  /** The bank wants to see the customer before it pays. */
  authentication?: boolean;
  /** What becomes of a refund: it looks good and then fails, or it takes its time. */
  refund?: "fails" | "pends";
  /** The payment is disputed as soon as it is made, for this reason. */
  dispute?: string;
};

const visa: TestMethod = { type: "card", brand: "visa", last4: "4242", funding: "credit" };

function declined(last4: string, declineCode: string, message: string, code = "card_declined"): TestMethod {
  return { ...visa, last4, decline: { code, declineCode, message, onAttach: true } };
}

const GENERIC = "Your card was declined.";

/** The provider's documented test payment methods that the sandbox knows, by id. */
const METHODS: Record<string, TestMethod> = {
  pm_card_visa: visa,
  pm_card_visa_debit: { ...visa, last4: "5556", funding: "debit" },
  pm_card_mastercard: { ...visa, brand: "mastercard", last4: "4444" },
  pm_card_amex: { ...visa, brand: "amex", last4: "8431" },
  pm_card_discover: { ...visa, brand: "discover", last4: "1117" },
  pm_card_us: visa,
  pm_card_chargeDeclined: declined("0002", "generic_decline", GENERIC),
  pm_card_chargeDeclinedInsufficientFunds: declined("9995", "insufficient_funds", "Your card has insufficient funds."),
  pm_card_chargeDeclinedLostCard: declined("9987", "lost_card", GENERIC),
  pm_card_chargeDeclinedStolenCard: declined("9979", "stolen_card", GENERIC),
  pm_card_chargeDeclinedFraudulent: declined("0019", "fraudulent", GENERIC),
  pm_card_chargeDeclinedExpiredCard: declined("0069", "expired_card", "Your card has expired.", "expired_card"),
  pm_card_chargeDeclinedIncorrectCvc: declined(
    "0127",
    "incorrect_cvc",
    "Your card's security code is incorrect.",
    "incorrect_cvc",
  ),
  pm_card_chargeDeclinedProcessingError: declined(
    "0119",
    "processing_error",
    "An error occurred while processing your card. Try again in a little bit.",
    "processing_error",
  ),
  pm_card_chargeCustomerFail: {
    ...visa,
    last4: "0341",
    decline: { code: "card_declined", declineCode: "generic_decline", message: GENERIC, onAttach: false },
  },
  pm_card_authenticationRequired: { ...visa, last4: "3184", authentication: true },
  pm_card_threeDSecure2Required: { ...visa, last4: "3220", authentication: true },
  pm_card_refundFail: { ...visa, last4: "5126", refund: "fails" },
  pm_card_pendingRefund: { ...visa, last4: "7726", refund: "pends" },
  pm_card_createDispute: { ...visa, last4: "0259", dispute: "fraudulent" },
  pm_card_createDisputeProductNotReceived: { ...visa, last4: "2685", dispute: "product_not_received" },
  pm_usBankAccount_success: { type: "us_bank_account", brand: "", last4: "6789", funding: "debit" },
};

/**
 * The test method of an id; `pm_card_visa_chargeDeclined` and the like name the same card as `pm_card_chargeDeclined`.
 */
export function testMethod(id: string): TestMethod | undefined {
  const plain = id.replace(/^pm_card_visa_(?=charge)/, "pm_card_");
  return Object.hasOwn(METHODS, plain) ? METHODS[plain] : undefined;
}
