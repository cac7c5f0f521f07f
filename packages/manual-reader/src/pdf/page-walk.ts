import { AnnotationMode, OPS, type PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { type Box, contains, type PageContent } from "../page.ts";
import {
  parseColor,
  type Font,
  type Glyph,
  type GraphicsState,
  measureHeight,
  initialState,
  isBold,
  type LayerVisibility,
} from "./graphics-state.ts";
import { joinFractions } from "./fractions.ts";
import { apply, transformBox, IDENTITY, keepsAxes, type Matrix, multiply, overlap, type Point } from "./matrix.ts";
import { createPaintedAreas } from "./painted.ts";
import { listEdges, lineAlong, readPath, toBar } from "./paths.ts";
import { createTextRuns, type Look } from "./text-runs.ts";
import { keepingJpegs } from "./raw-jpegs.ts";

/** Below it nothing is visible. */
const FAINTEST = 0.05;
/** Invisible, and clipping only. Source: ISO 32000-1, table 106 */
const WITHOUT_INK = new Set([3, 7]);
const BOTH = [OPS.fillStroke, OPS.eoFillStroke, OPS.closeFillStroke, OPS.closeEOFillStroke];
const FILLING = new Set([OPS.fill, OPS.eoFill, ...BOTH]);
const STROKING = new Set([OPS.stroke, OPS.closeStroke, ...BOTH]);
const LIGATURES = /[\uFB00-\uFB06]/g;
const NEARLY_WHITE = 235;
/** Points. */
const TALLEST_LETTER = 20;

type Arguments = readonly unknown[];
type Handler = (args: Arguments) => void;

/** Follows a page's operators like a renderer and records what is visible. */
function createWalk(
  content: PageContent,
  base: Matrix,
  fontOf: (name: string) => Font | undefined,
  layers: LayerVisibility,
) {
  const sheet: Box = { x: 0, y: 0, width: content.width, height: content.height };
  const painted = createPaintedAreas();
  const runs = createTextRuns(painted);
  const sources: ImageSource[] = [];
  const matrices: Matrix[] = [];
  const saved: GraphicsState[] = [];
  /** Open marked content: whether it is hidden. */
  const marked: boolean[] = [];
  let state = initialState(base, sheet);
  let textMatrix: Matrix = IDENTITY;
  let pen: Point = [0, 0];
  let lineStart: Point = [0, 0];
  let clipsNext = false;

  return {
    handlers: handlersByOperator(),
    finish: (): ReadContent => ({ content: { ...content, texts: joinFractions(runs.finish()) }, sources, matrices }),
  };

  function handlersByOperator(): ReadonlyMap<number, Handler> {
    const set =
      <K extends keyof GraphicsState>(key: K, from: (arg: unknown) => GraphicsState[K]): Handler =>
      ([arg]) =>
        void (state[key] = from(arg));
    const handlers: Partial<Record<keyof typeof OPS, Handler>> = {
      save,
      restore,
      transform: (args) => transform(args as number[]),
      setFillRGBColor: set("fill", parseColor),
      setFillColorN: set("fill", () => undefined),
      setFillTransparent: set("fill", () => undefined),
      setStrokeRGBColor: set("stroke", parseColor),
      setStrokeColorN: set("stroke", () => undefined),
      setGState: ([entries]) => setGraphics(entries as [string, unknown][]),
      setFont: ([name, size]) => setFont(String(name), Number(size)),
      setLineWidth: set("lineWidth", Number),
      setCharSpacing: set("characterSpacing", Number),
      setWordSpacing: set("wordSpacing", Number),
      setHScale: set("stretch", (arg) => Number(arg) / 100),
      setLeading: set("leading", (arg) => -Number(arg)),
      setTextRise: set("rise", Number),
      setTextRenderingMode: set("mode", Number),
      beginText: () => setTextMatrix(IDENTITY),
      setTextMatrix: ([matrix]) => setTextMatrix(Array.from(matrix as Float32Array)),
      moveText: ([x, y]) => moveText(Number(x), Number(y)),
      setLeadingMoveText: ([x, y]) => {
        state.leading = Number(y);
        moveText(Number(x), Number(y));
      },
      nextLine: () => moveText(0, state.leading),
      showText: ([glyphs]) => showText(glyphs as (Glyph | number)[]),
      clip: () => void (clipsNext = true),
      eoClip: () => void (clipsNext = true),
      constructPath: ([operator, data]) => takePath(Number(operator), (data as (Float32Array | null)[])[0]),
      rawFillPath: () => void (content.drawnPaths += 1),
      shadingFill: () => painted.add(state.visible, undefined, false),
      paintFormXObjectBegin: ([matrix, box]) => beginForm(matrix as number[] | null, box as number[] | null),
      paintFormXObjectEnd: restore,
      beginGroup,
      endGroup: restore,
      beginAnnotation: ([, rectangle, ...matrices]) =>
        beginAnnotation(rectangle as number[] | null, matrices as number[][]),
      endAnnotation: restore,
      beginMarkedContent: () => void marked.push(false),
      beginMarkedContentProps: ([tag, group]) => void marked.push(tag === "OC" && !layers.isVisible(group)),
      endMarkedContent: () => void marked.pop(),
      paintImageXObject: ([name]) => paintImage(String(name)),
      paintInlineImageXObject: ([image]) => paintImage(image as object, false),
      paintImageMaskXObject: ([arg]) => {
        const { data } = arg as { data: unknown };
        // Transparent where it is not painted.
        if (typeof data === "string") paintImage(data, false);
      },
      paintSolidColorImageMask: () => fillBox(transformBox(state.matrix, 0, 0, 1, 1)),
      paintImageXObjectRepeat: ([name, ...scaled]) => repeat(String(name), scaled as [number, number, number[]]),
    };
    return new Map(Object.entries(handlers).map(([name, handler]) => [OPS[name as keyof typeof OPS], handler]));
  }

  function save(): void {
    saved.push({ ...state });
  }

  function restore(): void {
    state = saved.pop() ?? state;
  }

  function transform(matrix: Matrix): void {
    state.matrix = multiply(state.matrix, matrix);
  }

  function setGraphics(entries: readonly [string, unknown][]): void {
    for (const [key, value] of entries) {
      if (key === "ca") state.fillAlpha = Number(value);
      else if (key === "CA") state.strokeAlpha = Number(value);
      else if (key === "Font") setFont(String((value as unknown[])[0]), Number((value as unknown[])[1]));
      else if (key === "BM") state.isMixed = value !== "source-over";
      else if (key === "SMask") state.isMixed = Boolean(value);
    }
  }

  function setFont(name: string, size: number): void {
    state.font = fontOf(name);
    state.fontSize = size;
  }

  function setTextMatrix(matrix: Matrix): void {
    textMatrix = matrix;
    pen = [0, 0];
    lineStart = [0, 0];
  }

  function moveText(x: number, y: number): void {
    lineStart = [lineStart[0] + x, lineStart[1] + y];
    pen = lineStart;
  }

  /** Source: ISO 32000-1, 9.4.4 */
  function showText(glyphs: readonly (Glyph | number)[]): void {
    const { font, fontSize, characterSpacing, wordSpacing, stretch, rise, matrix, visible } = state;
    if (!font || fontSize === 0) return;
    const toPage = multiply(matrix, textMatrix);
    const unit = Math.abs(font.fontMatrix?.[0] ?? 0.001);
    const isVertical = font.vertical === true;
    const along = direction(toPage, isVertical ? 0 : Math.sign(fontSize * stretch), isVertical ? -1 : 0);
    const upward = direction(toPage, isVertical ? 1 : 0, isVertical ? 0 : Math.sign(fontSize));
    const size = Math.abs(fontSize) * measureHeight(font) * Math.hypot(toPage[2] ?? 0, toPage[3] ?? 1);
    const onPage = getLook(font, size);
    const offPage: Look = { ...onPage, hidden: onPage.hidden ?? "off-page" };
    for (const glyph of glyphs) {
      if (typeof glyph === "number") {
        advance(isVertical, (-glyph / 1_000) * fontSize, stretch);
        continue;
      }
      const width = (isVertical ? (glyph.vmetric?.[0] ?? -1_000) : glyph.width) * unit * fontSize;
      const spacing = characterSpacing + (glyph.isSpace ? wordSpacing : 0);
      const start = apply(toPage, pen[0], pen[1] + rise);
      advance(isVertical, width, stretch);
      // Spaced letters stay one word.
      const wide = advance(isVertical, spacing, stretch);
      const end = apply(toPage, wide[0], wide[1] + rise);
      const text = glyph.unicode.replace(LIGATURES, (ligature) => ligature.normalize("NFKC"));
      const isSeen = contains(visible, (start[0] + end[0]) / 2, (start[1] + end[1]) / 2);
      // A letter may have the code of the space.
      if (text.trim() === "") runs.space();
      else runs.letter(text, isSeen ? onPage : offPage, along, upward, start, end);
    }
  }

  function advance(isVertical: boolean, distance: number, stretch: number): Point {
    pen = isVertical ? [pen[0], pen[1] + distance] : [pen[0] + distance * stretch, pen[1]];
    return pen;
  }

  function getLook(font: Font, fontSize: number): Look {
    const { mode, fillAlpha, strokeAlpha, groupAlpha, fill, stroke } = state;
    const isOutlined = mode === 1 || mode === 5;
    const isInked =
      !WITHOUT_INK.has(mode) && (isOutlined ? strokeAlpha : fillAlpha) * groupAlpha > FAINTEST && !isHidden();
    return {
      fontSize,
      isBold: isBold(font),
      color: isOutlined ? stroke : fill,
      hidden: isInked ? undefined : "invisible-mode",
    };
  }

  function isHidden(): boolean {
    return marked.includes(true);
  }

  function takePath(operator: number, steps: Float32Array | null | undefined): void {
    const clips = clipsNext;
    clipsNext = false;
    if (!steps) return;
    const { matrix, fill, stroke, fillAlpha, strokeAlpha, groupAlpha } = state;
    const fills = FILLING.has(operator) && fillAlpha * groupAlpha > FAINTEST && !isHidden();
    const strokes = STROKING.has(operator) && strokeAlpha * groupAlpha > FAINTEST && !isHidden();
    if (!fills && !strokes && !clips) return;
    const path = readPath(steps, matrix, fills && !strokes);
    if (clips) state.visible = overlap(state.visible, path.box);
    if (fills) {
      runs.flush();
      const bars = strokes ? readPath(steps, matrix, true).bars : path.bars;
      if (path.others > 0 && painted.hasContrast(path.box, fill)) runs.revealOutlined(path.box, path.others);
      // A bar of the colour behind it has no edges to see.
      const visibleBars = bars.filter((bar) => painted.hasContrast(bar, fill));
      for (const bar of bars) painted.add(overlap(bar, state.visible), fill, isOpaque(fillAlpha));
      if (path.others > 0) painted.add(overlap(path.box, state.visible), undefined, false);
      if (!isNearlyWhite(fill) && !strokes) ruled([...path.lines, ...visibleBars.flatMap(listEdges)]);
    }
    if (strokes) {
      // A thick line is a background, as of a marked word.
      const margin = (state.lineWidth * Math.hypot(matrix[0] ?? 1, matrix[1] ?? 0)) / 2;
      const thick = path.lines.map((line) => toBar(line, margin)).filter((bar) => !lineAlong(bar));
      if (thick.length > 0) runs.flush();
      for (const bar of thick) painted.add(overlap(bar, state.visible), stroke, isOpaque(strokeAlpha));
      if (!isNearlyWhite(stroke)) ruled(path.lines);
    }
    if (fills || strokes) content.drawnPaths += path.others;
    if (fills && !strokes && path.box.height <= TALLEST_LETTER && !isNearlyWhite(fill))
      content.outlinedLetters = (content.outlinedLetters ?? 0) + path.others;
  }

  function ruled(lines: readonly Box[]): void {
    for (const line of lines) {
      const visibleLine = overlap(line, state.visible);
      if (visibleLine.width >= 0 && visibleLine.height >= 0) content.lines.push(visibleLine);
    }
  }

  function isOpaque(alpha: number): boolean {
    return alpha * state.groupAlpha > 0.95 && !state.isMixed;
  }

  function fillBox(box: Box): void {
    if (isHidden()) return;
    runs.flush();
    painted.add(overlap(box, state.visible), state.fill, isOpaque(state.fillAlpha));
    const line = lineAlong(box);
    if (!isNearlyWhite(state.fill)) ruled(line ? [line] : listEdges(box));
  }

  function beginForm(matrix: Matrix | null, box: readonly number[] | null): void {
    save();
    if (matrix) transform(matrix);
    if (box) clipTo(box);
  }

  function clipTo([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[]): void {
    state.visible = overlap(state.visible, transformBox(state.matrix, x1, y1, x2, y2));
  }

  function beginGroup(): void {
    save();
    state.groupAlpha *= state.fillAlpha;
    state.fillAlpha = 1;
    state.strokeAlpha = 1;
  }

  function beginAnnotation(rectangle: readonly number[] | null, [first, second]: readonly Matrix[]): void {
    save();
    state = initialState(base, sheet);
    if (rectangle) clipTo(rectangle);
    transform(first!);
    transform(second!);
  }

  function paintImage(source: ImageSource, isWhole = true, matrix = state.matrix): void {
    if (isHidden()) return;
    const box = overlap(transformBox(matrix, 0, 0, 1, 1), state.visible);
    const line = lineAlong(box);
    if (line) {
      ruled([line]);
      return;
    }
    runs.flush();
    painted.add(box, undefined, isWhole && isOpaque(state.fillAlpha) && keepsAxes(matrix));
    content.images.push({ ...box, index: content.images.length + 1 });
    sources.push(source);
    matrices.push(matrix);
  }

  function repeat(name: string, [scaleX, scaleY, positions]: readonly [number, number, ArrayLike<number>]): void {
    for (let n = 0; n < positions.length; n += 2)
      paintImage(name, false, multiply(state.matrix, [scaleX, 0, 0, scaleY, positions[n]!, positions[n + 1]!]));
  }
}

function direction([a = 1, b = 0, c = 0, d = 1]: Matrix, x: number, y: number): Point {
  const [dx, dy] = [a * x + c * y, b * x + d * y];
  const length = Math.hypot(dx, dy) || 1;
  return [dx / length, dy / length];
}

function isNearlyWhite(color: readonly number[] | undefined): boolean {
  return color !== undefined && color.every((channel) => channel >= NEARLY_WHITE);
}

/** Its name in pdf.js, or its pixels. */
export type ImageSource = string | object;

export interface ReadContent {
  content: PageContent;
  /** By index - 1. */
  sources: ImageSource[];
  /** Likewise: from the unit square to the page. */
  matrices: Matrix[];
}

export async function readContent(page: PDFPageProxy, layers: LayerVisibility): Promise<ReadContent> {
  const { width, height, transform } = page.getViewport({ scale: 1 });
  const { fnArray, argsArray } = await keepingJpegs(page, async () => {
    const value = await page.getOperatorList({ annotationMode: AnnotationMode.ENABLE });
    const needed = value.fnArray.flatMap((fn, n) => (fn === OPS.dependency ? (value.argsArray[n] as string[]) : []));
    return { value, names: needed.filter((name) => name.includes("img_")) };
  });
  const findFont = (name: string): Font | undefined =>
    page.commonObjs.has(name) ? (page.commonObjs.get(name) as Font) : undefined;
  const sheet = { number: page.pageNumber, width, height };
  const walk = createWalk({ ...sheet, texts: [], lines: [], images: [], drawnPaths: 0 }, transform, findFont, layers);
  for (const [n, operator] of fnArray.entries())
    walk.handlers.get(operator)?.((argsArray[n] as Arguments | null) ?? []);
  return walk.finish();
}
