import { AnnotationMode, OPS, type PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { Box, PageContent, PageImage, RuledLine } from "../page.ts";
import {
  colorOf,
  type Font,
  type Glyph,
  type GraphicsState,
  heightOf,
  initialState,
  isBold,
  type LayerVisibility,
} from "./graphics-state.ts";
import { apply, boxOf, IDENTITY, keepsAxes, type Matrix, multiply, overlap } from "./matrix.ts";
import { contains, PaintedAreas } from "./painted.ts";
import { edgesOf, lineAlong, readPath } from "./paths.ts";
import { type Look, TextRuns } from "./text-runs.ts";

/** Below it nothing is visible. */
const FAINTEST = 0.05;
/** Invisible, and clipping only. Source: ISO 32000-1, table 106 */
const WITHOUT_INK = new Set([3, 7]);
const FILLING = new Set([
  OPS.fill,
  OPS.eoFill,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
]);
const STROKING = new Set([
  OPS.stroke,
  OPS.closeStroke,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
]);
const LIGATURES = /[\uFB00-\uFB06]/g;
const NEARLY_WHITE = 235;

type Arguments = readonly unknown[];
type Handler = (args: Arguments) => void;

/** Follows a page's operators like a renderer and records what is visible. */
class PageWalk {
  readonly #base: Matrix;
  readonly #page: Box;
  readonly #fontOf: (name: string) => Font | undefined;
  readonly #layers: LayerVisibility;
  readonly #painted = new PaintedAreas();
  readonly #runs = new TextRuns(this.#painted);
  readonly #lines: RuledLine[] = [];
  readonly #images: PageImage[] = [];
  readonly #sources: ImageSource[] = [];
  readonly #handlers: ReadonlyMap<number, Handler>;
  readonly #saved: GraphicsState[] = [];
  /** Open marked content: whether it is hidden. */
  readonly #marked: boolean[] = [];
  #state: GraphicsState;
  #drawnPaths = 0;
  #textMatrix: Matrix = IDENTITY;
  #at: [number, number] = [0, 0];
  #lineStart: [number, number] = [0, 0];
  #clipsNext = false;

  constructor({
    base,
    width,
    height,
    fontOf,
    layers,
  }: {
    base: Matrix;
    width: number;
    height: number;
    fontOf: (name: string) => Font | undefined;
    layers: LayerVisibility;
  }) {
    this.#base = base;
    this.#page = { x: 0, y: 0, width, height };
    this.#fontOf = fontOf;
    this.#layers = layers;
    this.#state = initialState(base, this.#page);
    this.#handlers = this.#table();
  }

  take(operator: number, args: Arguments): void {
    this.#handlers.get(operator)?.(args);
  }

  finish(number: number): ReadContent {
    const texts = this.#runs.finish();
    const content = {
      number,
      width: this.#page.width,
      height: this.#page.height,
      texts,
      lines: this.#lines,
      images: this.#images,
      drawnPaths: this.#drawnPaths,
    };
    return { content, sources: this.#sources };
  }

  #table(): ReadonlyMap<number, Handler> {
    const set =
      <K extends keyof GraphicsState>(key: K, from: (arg: unknown) => GraphicsState[K]): Handler =>
      ([arg]) =>
        void (this.#state[key] = from(arg));
    const number = (arg: unknown): number => Number(arg);
    return new Map<number, Handler>([
      [OPS.save, () => this.#save()],
      [OPS.restore, () => this.#restore()],
      [OPS.transform, (args) => this.#transform(args as number[])],
      [OPS.setFillRGBColor, set("fill", colorOf)],
      [OPS.setFillColorN, () => void (this.#state.fill = undefined)],
      [OPS.setFillTransparent, () => void (this.#state.fill = undefined)],
      [OPS.setStrokeRGBColor, set("stroke", colorOf)],
      [OPS.setStrokeColorN, () => void (this.#state.stroke = undefined)],
      [OPS.setGState, ([entries]) => this.#setGraphics(entries as [string, unknown][])],
      [OPS.setFont, ([name, size]) => this.#setFont(String(name), Number(size))],
      [OPS.setCharSpacing, set("characterSpacing", number)],
      [OPS.setWordSpacing, set("wordSpacing", number)],
      [OPS.setHScale, set("stretch", (arg) => Number(arg) / 100)],
      [OPS.setLeading, set("leading", (arg) => -Number(arg))],
      [OPS.setTextRise, set("rise", number)],
      [OPS.setTextRenderingMode, set("mode", number)],
      [OPS.beginText, () => this.#setTextMatrix(IDENTITY)],
      [OPS.setTextMatrix, ([matrix]) => this.#setTextMatrix(Array.from(matrix as Float32Array))],
      [OPS.moveText, ([x, y]) => this.#moveText(Number(x), Number(y))],
      [
        OPS.setLeadingMoveText,
        ([x, y]) => {
          this.#state.leading = Number(y);
          this.#moveText(Number(x), Number(y));
        },
      ],
      [OPS.nextLine, () => this.#moveText(0, this.#state.leading)],
      [OPS.showText, ([glyphs]) => this.#showText(glyphs as (Glyph | number)[])],
      [OPS.clip, () => void (this.#clipsNext = true)],
      [OPS.eoClip, () => void (this.#clipsNext = true)],
      [OPS.constructPath, ([operator, data]) => this.#path(Number(operator), (data as (Float32Array | null)[])[0])],
      [OPS.rawFillPath, () => void (this.#drawnPaths += 1)],
      [OPS.shadingFill, () => this.#painted.add(this.#state.visible, undefined, false)],
      [
        OPS.paintFormXObjectBegin,
        ([matrix, box]) => this.#beginForm(matrix as number[] | null, box as number[] | null),
      ],
      [OPS.paintFormXObjectEnd, () => this.#restore()],
      [OPS.beginGroup, () => this.#beginGroup()],
      [OPS.endGroup, () => this.#restore()],
      [
        OPS.beginAnnotation,
        ([, rectangle, transform, matrix]) =>
          this.#beginAnnotation(rectangle as number[] | null, transform as number[], matrix as number[]),
      ],
      [OPS.endAnnotation, () => this.#restore()],
      [OPS.beginMarkedContent, () => void this.#marked.push(false)],
      [
        OPS.beginMarkedContentProps,
        ([tag, group]) => void this.#marked.push(tag === "OC" && !this.#layers.isVisible(group)),
      ],
      [OPS.endMarkedContent, () => void this.#marked.pop()],
      [OPS.paintImageXObject, ([name, width, height]) => this.#image(String(name), Number(width), Number(height))],
      [OPS.paintInlineImageXObject, ([image]) => this.#inlineImage(image as { width: number; height: number })],
      [OPS.paintImageMaskXObject, ([image]) => this.#mask(image as { data: unknown; width: number; height: number })],
      [OPS.paintSolidColorImageMask, () => this.#fillBox(boxOf(this.#state.matrix, 0, 0, 1, 1))],
      [
        OPS.paintImageXObjectRepeat,
        ([name, scaleX, scaleY, positions]) =>
          this.#repeat(String(name), Number(scaleX), Number(scaleY), positions as ArrayLike<number>),
      ],
    ]);
  }

  #save(): void {
    this.#saved.push({ ...this.#state });
  }

  #restore(): void {
    this.#state = this.#saved.pop() ?? this.#state;
  }

  #transform(matrix: Matrix): void {
    this.#state.matrix = multiply(this.#state.matrix, matrix);
  }

  #setGraphics(entries: readonly [string, unknown][]): void {
    for (const [key, value] of entries) {
      if (key === "ca") this.#state.fillAlpha = Number(value);
      else if (key === "CA") this.#state.strokeAlpha = Number(value);
      else if (key === "Font") this.#setFont(String((value as unknown[])[0]), Number((value as unknown[])[1]));
      else if (key === "BM") this.#state.isMixed = value !== "source-over";
      else if (key === "SMask") this.#state.isMixed = Boolean(value);
    }
  }

  #setFont(name: string, size: number): void {
    this.#state.font = this.#fontOf(name);
    this.#state.fontSize = size;
  }

  #setTextMatrix(matrix: Matrix): void {
    this.#textMatrix = matrix;
    this.#at = [0, 0];
    this.#lineStart = [0, 0];
  }

  #moveText(x: number, y: number): void {
    this.#lineStart = [this.#lineStart[0] + x, this.#lineStart[1] + y];
    this.#at = [...this.#lineStart];
  }

  /** Source: ISO 32000-1, 9.4.4 */
  #showText(glyphs: readonly (Glyph | number)[]): void {
    const { font, fontSize, characterSpacing, wordSpacing, stretch, rise, matrix } = this.#state;
    if (!font || fontSize === 0) return;
    const toPage = multiply(matrix, this.#textMatrix);
    const unit = Math.abs(font.fontMatrix?.[0] ?? 0.001);
    const isVertical = font.vertical === true;
    const along = direction(toPage, isVertical ? 0 : Math.sign(fontSize * stretch), isVertical ? -1 : 0);
    const upward = direction(toPage, isVertical ? 1 : 0, isVertical ? 0 : Math.sign(fontSize));
    const size = Math.abs(fontSize) * heightOf(font) * Math.hypot(toPage[2] ?? 0, toPage[3] ?? 1);
    for (const glyph of glyphs) {
      if (typeof glyph === "number") {
        this.#advance(isVertical, (-glyph / 1_000) * fontSize, stretch);
        continue;
      }
      const width = (isVertical ? (glyph.vmetric?.[0] ?? -1_000) : glyph.width) * unit * fontSize;
      const spacing = characterSpacing + (glyph.isSpace ? wordSpacing : 0);
      const start = apply(toPage, this.#at[0], this.#at[1] + rise);
      this.#advance(isVertical, width, stretch);
      // Spaced letters stay one word.
      const wide = this.#advance(isVertical, spacing, stretch);
      const end = apply(toPage, wide[0], wide[1] + rise);
      const text = glyph.unicode.replace(LIGATURES, (ligature) => ligature.normalize("NFKC"));
      if (glyph.isSpace || text.trim() === "") this.#runs.space();
      else this.#runs.letter(text, this.#look(font, size, start, end), along, upward, start, end);
    }
  }

  #advance(isVertical: boolean, by: number, stretch: number): [number, number] {
    this.#at = isVertical ? [this.#at[0], this.#at[1] + by] : [this.#at[0] + by * stretch, this.#at[1]];
    return this.#at;
  }

  #look(font: Font, fontSize: number, start: readonly [number, number], end: readonly [number, number]): Look {
    const { mode, fillAlpha, strokeAlpha, groupAlpha, fill, stroke, visible } = this.#state;
    const isOutlined = mode === 1 || mode === 5;
    const isInked =
      !WITHOUT_INK.has(mode) && (isOutlined ? strokeAlpha : fillAlpha) * groupAlpha > FAINTEST && !this.#isHidden();
    const isOnPage = contains(visible, (start[0] + end[0]) / 2, (start[1] + end[1]) / 2);
    return {
      fontSize,
      isBold: isBold(font),
      color: isOutlined ? stroke : fill,
      hidden: isInked ? (isOnPage ? undefined : "off-page") : "invisible-mode",
    };
  }

  #isHidden(): boolean {
    return this.#marked.includes(true);
  }

  #path(operator: number, steps: Float32Array | null | undefined): void {
    const clips = this.#clipsNext;
    this.#clipsNext = false;
    if (!steps) return;
    const { matrix, fill, stroke, fillAlpha, strokeAlpha, groupAlpha } = this.#state;
    const fills = FILLING.has(operator) && fillAlpha * groupAlpha > FAINTEST && !this.#isHidden();
    const strokes = STROKING.has(operator) && strokeAlpha * groupAlpha > FAINTEST && !this.#isHidden();
    if (!fills && !strokes && !clips) return;
    const path = readPath(steps, matrix, fills && !strokes);
    if (clips) this.#state.visible = overlap(this.#state.visible, path.box);
    if (fills) {
      this.#runs.flush();
      const bars = strokes ? readPath(steps, matrix, true).bars : path.bars;
      for (const bar of bars) this.#painted.add(overlap(bar, this.#state.visible), fill, this.#isOpaque(fillAlpha));
      if (path.others > 0) this.#painted.add(overlap(path.box, this.#state.visible), undefined, false);
      if (!isNearlyWhite(fill) && !strokes) this.#ruled([...path.lines, ...path.bars.flatMap(edgesOf)]);
    }
    if (strokes && !isNearlyWhite(stroke)) this.#ruled(path.lines);
    if (fills || strokes) this.#drawnPaths += path.others;
  }

  #ruled(lines: readonly RuledLine[]): void {
    const { x, y, width, height } = this.#state.visible;
    for (const { x1, y1, x2, y2 } of lines) {
      const line = {
        x1: Math.max(x1, x),
        y1: Math.max(y1, y),
        x2: Math.min(x2, x + width),
        y2: Math.min(y2, y + height),
      };
      if (line.x2 >= line.x1 && line.y2 >= line.y1) this.#lines.push(line);
    }
  }

  #isOpaque(alpha: number): boolean {
    return alpha * this.#state.groupAlpha > 0.95 && !this.#state.isMixed;
  }

  #fillBox(box: Box): void {
    if (this.#isHidden()) return;
    this.#runs.flush();
    this.#painted.add(overlap(box, this.#state.visible), this.#state.fill, this.#isOpaque(this.#state.fillAlpha));
    const line = lineAlong(box);
    if (!isNearlyWhite(this.#state.fill)) this.#ruled(line ? [line] : edgesOf(box));
  }

  #beginForm(matrix: Matrix | null, box: readonly number[] | null): void {
    this.#save();
    if (matrix) this.#transform(matrix);
    if (box) this.#clipTo(box);
  }

  #clipTo([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[]): void {
    this.#state.visible = overlap(this.#state.visible, boxOf(this.#state.matrix, x1, y1, x2, y2));
  }

  #beginGroup(): void {
    this.#save();
    this.#state.groupAlpha *= this.#state.fillAlpha;
    this.#state.fillAlpha = 1;
    this.#state.strokeAlpha = 1;
  }

  #beginAnnotation(rectangle: readonly number[] | null, transform: Matrix, matrix: Matrix): void {
    this.#save();
    this.#state = initialState(this.#base, this.#page);
    if (rectangle) this.#clipTo(rectangle);
    this.#transform(transform);
    this.#transform(matrix);
  }

  #image(
    source: ImageSource,
    pixelWidth: number,
    pixelHeight: number,
    isOpaque = true,
    matrix = this.#state.matrix,
  ): void {
    if (this.#isHidden()) return;
    const box = overlap(boxOf(matrix, 0, 0, 1, 1), this.#state.visible);
    const line = lineAlong(box);
    if (line) {
      this.#ruled([line]);
      return;
    }
    this.#runs.flush();
    this.#painted.add(box, undefined, isOpaque && this.#isOpaque(this.#state.fillAlpha) && keepsAxes(matrix));
    this.#images.push({ ...box, index: this.#images.length + 1, pixelWidth, pixelHeight });
    this.#sources.push(source);
  }

  #inlineImage(image: { width: number; height: number }): void {
    this.#image(image, image.width, image.height, false);
  }

  /** Transparent where it is not painted. */
  #mask({ data, width, height }: { data: unknown; width: number; height: number }): void {
    if (typeof data === "string") this.#image(data, width, height, false);
  }

  #repeat(name: string, scaleX: number, scaleY: number, positions: ArrayLike<number>): void {
    for (let n = 0; n < positions.length; n += 2)
      this.#image(
        name,
        0,
        0,
        false,
        multiply(this.#state.matrix, [scaleX, 0, 0, scaleY, positions[n]!, positions[n + 1]!]),
      );
  }
}

function direction([a = 1, b = 0, c = 0, d = 1]: Matrix, x: number, y: number): [number, number] {
  const [dx, dy] = [a * x + c * y, b * x + d * y];
  const length = Math.hypot(dx, dy) || 1;
  return [dx / length, dy / length];
}

function isNearlyWhite(color: readonly number[] | undefined): boolean {
  return color !== undefined && color.every((channel) => channel >= NEARLY_WHITE);
}

/** Its name in pdf.js, or its pixels. */
export type ImageSource = string | object;

interface ReadContent {
  content: PageContent;
  /** By index - 1. */
  sources: ImageSource[];
}

export async function readContent(page: PDFPageProxy, layers: LayerVisibility): Promise<ReadContent> {
  const viewport = page.getViewport({ scale: 1 });
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: AnnotationMode.ENABLE });
  const fontOf = (name: string): Font | undefined =>
    page.commonObjs.has(name) ? (page.commonObjs.get(name) as Font) : undefined;
  const walk = new PageWalk({
    base: viewport.transform,
    width: viewport.width,
    height: viewport.height,
    fontOf,
    layers,
  });
  for (let n = 0; n < fnArray.length; n += 1) walk.take(fnArray[n]!, (argsArray[n] as unknown[] | null) ?? []);
  return walk.finish(page.pageNumber);
}
