export { drawPapers, type Face, type Paper } from "./src/draw-papers.ts";
export { type Letter, type LetterTemplates, loadLetterTemplates } from "./src/letters.ts";
export { PAPER_WORDS, type PaperLanguage, type PaperWords } from "./src/words.ts";
export { describePromise, describeSupply, formatDay } from "./src/supply.ts";
