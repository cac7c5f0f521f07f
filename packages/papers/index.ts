export { drawPapers, type Face, type Paper } from "./src/draw-papers.ts";
