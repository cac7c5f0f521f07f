/** What no fact tells of: where to go and whom to pay, when something comes, what is free. */

const ELSEWHERE =
  /\b(?:dot|d0t)\s*(?:com|net|org|io|info|biz|shop|store|app|co|us)\b|[([{]\s*(?:dot|at)\s*[)\]}]|\b(?:wire (?:the |your |some )?(?:money|funds|payment|cash|it|them)|(?:wire|bank|money) transfer|bank|pay(?:s|ing|able|ments?|pal)?|venmo|zelle|bitcoins?|crypto\w*|iban|gift cards?|western union|cash ?app|credit cards?|invoices?|deposits?|money|web ?sites?|web ?pages?|sites?|online|e-?mails?|whatsapp|telegram|phones?|telephone|hotline|text (?:us|me)|call (?:us|me|now|them|\+?[\d(])|contact (?:us|me|them)|(?:order|buy|purchase|get) (?:it |them |this |these |yours )?(?:now )?(?:at|from|via|through)|visit|go to|slash|google\w*|e?bay|amazon|facebook|mail (?:to|us|them)|(?:mail|ask|ask for|call|ring) \w+ at)\b|\w\s*[,.]\s*(?:com|net|org)\b/i;
const DELIVERY =
  /\b(?:deliver\w*|ship(?:s|ped|ping|ments?)?|dispatch\w*|arriv\w*|lead[- ]?times?|couriers?|freight|postage|overnight|business days?|days?|hours?|minutes|weeks?|noon|mornings?|afternoons?|evenings?|pick(?:ed)?[- ]up|tomorrow|tonight|eta)\b/i;
/** `When it can be delivered is not known.` */
const DELIVERY_UNKNOWN =
  /[^.;!?\n]*\b(?:deliver(?:y|ed)|shipp(?:ing|ed)|lead[- ]?times?|arriv\w*)\b[^.;,!?\n]*\b(?:is|are) (?:not known|unknown)\b/gi;
/** What is said of two prices is worked out of them, and told by nobody. */
const COMPARED =
  /\bcosts? (?:\w+ ){0,2}(?:less|more|least|most|the same)\b|\b(?:less|more|least|most) expensive\b|\b(?:low|high)(?:er|est)[- ](?:pric\w*|costs?)\b|\bpric(?:e|es|ed) (?:is |are )?(?:lower|higher|less|more|below|above|under|over|the same)\b|\b(?:priciest|pricier|dearer|dearest|costlier|costliest)\b/i;
const MONEY =
  /\b(?:cents?|penn(?:y|ies)|nickels?|dimes?|free of|for free|is free|are free|(?:no|without|free of|any) (?:cost|charge)|charges?(?: (?:you|is|of|for|nothing))|gratis|complimentary|discount(?:s|ed)?|on sale|for sale|coupons?|rebates?|refunds?|bargain|cheap(?:er|est)?|half[- ]price|percent|(?:costs?|for) nothing|nil|freebies?|a (?:buck|dollar)|grand|giveaway)\b|\d\s*(?:%|¢)/i;

/** @param withoutNames the text without the names of parts, which may have such words */
export function refusedTalk(
  text: string,
  withoutNames: string,
): "an address" | "a delivery that nobody told it" | "a price that nobody told it" | undefined {
  if (MONEY.test(text) || COMPARED.test(withoutNames)) return "a price that nobody told it";
  if (ELSEWHERE.test(withoutNames)) return "an address";
  return DELIVERY.test(withoutNames.replace(DELIVERY_UNKNOWN, " ")) ? "a delivery that nobody told it" : undefined;
}
