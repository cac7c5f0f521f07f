/**
 * What goes wrong, and what its `value` means:
 * - `error`: the status, 500 unless given
 * - `slow`: milliseconds to wait first
 * - `stall`: never an answer
 * - `drip`: milliseconds between two words
 * - `key_refused`: 401, whatever the key
 * - `rubbish`: an answer that is no JSON and no events
 * - `silent`: an answer without a word
 * - `cut_off`: the stream ends in the middle
 * - `invents_number`, `invents_price`: it names a part, or a price, that nobody told it
 * - `links`, `markup`: its answer has an address, or HTML
 * - `unknown_fact`, `nested_fact`: it names a fact that there is not, or puts placeholders into each other
 * - `mixed_facts`: it says the price of one part of another
 * - `plain_text`: it answers in plain words, not in the form that it was asked for
 * - `many_sentences`: it answers in 10,000 sentences
 * - `injected`: it does what text in the question or the facts told it to, as a model may that takes data for
 *   instructions
 * - `endless_tools`: it calls a tool again and again
 * - `many_tools`: it calls a tool 400 times at once
 * - `endless_words`: it speaks without a full stop, and does not come to an end
 * - `endless_bytes`: its answer, under the status 200 unless given, is one line that does not come to an end
 * - `redirect`: it sends whoever asks to another name of this host
 */
export const FAULT_KINDS = [
  "error",
  "slow",
  "stall",
  "drip",
  "key_refused",
  "rubbish",
  "silent",
  "cut_off",
  "invents_number",
  "invents_price",
  "links",
  "markup",
  "unknown_fact",
  "nested_fact",
  "mixed_facts",
  "plain_text",
  "many_sentences",
  "injected",
  "endless_tools",
  "many_tools",
  "endless_words",
  "endless_bytes",
  "redirect",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];
