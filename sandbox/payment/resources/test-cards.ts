/** Why a bank refuses a payment. */
export type Decline = { code: string; declineCode: string; message: string };

/** How one of the provider's well-known test payment methods behaves. */
export type TestMethod = {
  type: "card" | "us_bank_account";
  brand: string;
  last4: string;
  funding: "credit" | "debit";
  /** Refused when charged; `onAttach`: also when it is saved. */
  decline?: Decline & { onAttach: boolean };
  /** The bank asks the customer before it pays. */
  authentication?: boolean;
  /** A refund succeeds and then fails, or stays pending. */
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
  pm_card_mastercard: { ...visa, brand: "mastercard", last4: "4444" },
  pm_card_chargeDeclined: declined("0002", "generic_decline", GENERIC),
  pm_card_chargeDeclinedInsufficientFunds: declined("9995", "insufficient_funds", "Your card has insufficient funds."),
  pm_card_chargeDeclinedExpiredCard: declined("0069", "expired_card", "Your card has expired.", "expired_card"),
  pm_card_chargeDeclinedIncorrectCvc: declined(
    "0127",
    "incorrect_cvc",
    "Your card's security code is incorrect.",
    "incorrect_cvc",
  ),
  pm_card_chargeCustomerFail: {
    ...visa,
    last4: "0341",
    decline: { code: "card_declined", declineCode: "generic_decline", message: GENERIC, onAttach: false },
  },
  pm_card_threeDSecure2Required: { ...visa, last4: "3220", authentication: true },
  pm_card_refundFail: { ...visa, last4: "5126", refund: "fails" },
  pm_card_pendingRefund: { ...visa, last4: "7726", refund: "pends" },
  pm_card_createDispute: { ...visa, last4: "0259", dispute: "fraudulent" },
  pm_usBankAccount_success: { type: "us_bank_account", brand: "", last4: "6789", funding: "debit" },
};

/** Returns the test method of an id; `pm_card_visa_chargeDeclined` and the like are `pm_card_chargeDeclined`. */
export function testMethod(id: string): TestMethod | undefined {
  const plain = id.replace(/^pm_card_visa_(?=charge)/, "pm_card_");
  return Object.hasOwn(METHODS, plain) ? METHODS[plain] : undefined;
}
