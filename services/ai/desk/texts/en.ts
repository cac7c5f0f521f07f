/** What the desk says, in English. A word in angle brackets is filled in. */
export const EN = {
  "talk greeting": "Hello! Which part or machine can I help you with?",
  "talk goodbye": "Goodbye, and good luck with the repair.",
  "talk person":
    "I'm the shop's automatic parts desk. To reach a person, reply to any email from us. I can look up parts, prices and stock right away.",
  "talk hours":
    "I don't know our opening hours. Reply to any email from us to ask; the store itself is open all the time.",
  "talk phone":
    "I don't have a phone number or address to give you. Reply to any email from us, and a person will answer.",
  "talk warranty":
    "I don't know the warranty of each part. Reply to your order confirmation, and we'll check it for you.",
  "talk returns":
    "You can ask for a return from your order: open it under Account, or with the link in your confirmation email.",
  "talk abroad": "Checkout shows where we ship and what it costs, for your address and before you pay.",
  "talk pay": "Checkout shows the ways to pay, before you order.",
  "talk discount": "I can't change prices. They are what the store shows; enter a promotion code at checkout.",
  "talk privacy": "I can't tell you about other people's orders or data. You'll find your own orders under Account.",
  "none at that price": "I found <count>, but <none> <bound>.",
  under: "under <price>",
  over: "over <price>",
  between: "between <low> and <high>",
  "none of them": "none of them is",
  "none in stock": "None of them is in stock right now.",
  "none out of stock": "None of them is out of stock.",
  "out of stock of": "Out of stock for the <machines>:",
  "in stock of": "In stock for the <machines>:",
  "yes we have": "Yes, we have <count>.",
  "only some here": "We have only <stock> of your <count> right now; the rest would follow.",
  "none here": "It's out of stock right now.",
  "yes cheaper": "Yes, cheaper than <part> (<price>):",
  "no cheaper": "No, I don't see a cheaper one than <part> (<price>).",
  longest: "The longest: <parts>, <measure>.",
  shortest: "The shortest: <parts>, <measure>.",
  biggest: "The biggest: <parts>, <measure>.",
  smallest: "The smallest: <parts>, <measure>.",
  dearest: "The most expensive: <parts>, <price>.",
  "yes more": "Yes: <first> on the <one> against <second> on the <two>.",
  "no more": "No: <first> on the <one> against <second> on the <two>.",
  "both same": "They are the same: <first>.",
  converted: "<from> is <into>.",
  "service parts": "For service on the <machines>, check these parts:",
  "service says": "The manual's service notes come first. Parts for it on the <machines>:",
  figures: "I have the parts list of the <machines>: <figures>. Which part do you need?",
} as const;

export type TextName = keyof typeof EN;
export type Texts = Readonly<Record<TextName, string>>;
