import type { Remembered } from "../conversation.ts";
import type { Ask, Question } from "./understanding.ts";

/** Words for what was spoken of before. */
const IT = /\b(?:it|its|that|this|those|these|them|they|(?:that|this|which|the same) one|ones|the same)\b/i;
/** Where "it" is an equipment, and what is asked for is a part of that: `how many does it need`, `a filter for it`. */
const EQUIPMENT_IT =
  /\b(?:do|does|did|will|would|can|should|must)\s+(?:it|that|this|they|that one|this one)\s+(?:need|have|has|take|use|require|get|come|hold)\b|\b(?:for|on|fits?|into)\s+(?:it|that|this|them|that one|this one)\b(?!\s+\w)|\bits\b/i;
/** What goes on from the answer before. */
const GOES_ON = /^(?:and|also|or|now|then|same|the same|what about|how about)\b|^(?:for|on) (?:an?|the|my)\b/i;

/**
 * A question with what it leaves to the answer before it filled in; where there was none, without what only that could
 * tell.
 */
export function followUp(question: Question, before: Remembered | undefined): Question {
  const asks = question.asks.map((ask, at) => (at === 0 ? filledIn(ask, before) : withModels(ask, before)));
  const clear = asks.filter((ask) => ask !== "unclear" && ask !== "nothing");
  return { ...question, asks: clear, isUnclear: asks.includes("unclear") };
}

function filledIn(ask: Ask, before: Remembered | undefined): Ask | "unclear" | "nothing" {
  const { terms, mentions, models, place, text, isAboutTheSame, isList } = ask;
  const isBare = terms.length === 0 && mentions.length === 0 && place === undefined;
  const refers = IT.test(text);
  if (isAboutTheSame || (isBare && refers && !isList)) {
    if (before && before.parts.length > 0) return aboutParts(ask, before);
    return refers ? "unclear" : isAboutTheSame ? "nothing" : ask;
  }
  // `And for the other machine?` asks for the same part: what is called so, or the number.
  if (isBare && !isList && models.length > 0 && GOES_ON.test(text) && before)
    return before.terms.length > 0
      ? { ...ask, terms: before.terms }
      : before.parts.length > 0
        ? aboutParts(ask, before)
        : ask;
  return withModels(ask, before, true);
}

/** The equipment that was spoken of, where a question leaves open what its part is of. */
function withModels(ask: Ask, before: Remembered | undefined, isFirst = false): Ask | "unclear" {
  const { terms, mentions, models, strangers, place, wanted, text, isAboutTheSame } = ask;
  if (
    models.length > 0 ||
    strangers.length > 0 ||
    mentions.length > 0 ||
    isAboutTheSame ||
    (terms.length === 0 && place === undefined)
  )
    return ask;
  const refers = EQUIPMENT_IT.test(text);
  const known = before?.models ?? [];
  if (known.length === 0) return refers && isFirst ? "unclear" : ask;
  const leavesOpen = refers || place !== undefined || wanted === "quantity" || wanted === "page" || GOES_ON.test(text);
  if (!leavesOpen) return ask;
  const spoken = known.map((equipment) => ({ equipment }));
  return { ...ask, models: spoken, pieces: ask.pieces.map((piece) => ({ ...piece, models: spoken })) };
}

/** By their numbers, so that they are looked up anew. */
function aboutParts(ask: Ask, { parts, models }: Remembered): Ask {
  const mentions = parts.map(({ partNumber, vendor, pnNorm }, at) => ({
    text: vendor === undefined ? partNumber : `${vendor} ${partNumber}`,
    pnNorm,
    from: at,
    to: at + 1,
    number: at,
  }));
  return {
    ...ask,
    isAboutTheSame: false,
    mentions,
    numbersTyped: mentions.length,
    pieces: [],
    models: ask.models.length > 0 ? ask.models : models.map((equipment) => ({ equipment })),
  };
}
