const [WIDTH, HEIGHT, LEFT, BOTTOM, RIGHT, TOP] = [640, 360, 60, 40, 20, 40];

/** Draws orders a second by nodes as an SVG, both axes logarithmic: as predicted, and what the nodes alone carry. */
export function drawPlot(points: readonly { nodes: number; perSecond: number; alone: number }[]): string {
  const values = points.flatMap(({ perSecond, alone }) => [perSecond, alone]);
  const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  const most = Math.log10(Math.max(...points.map(({ nodes }) => nodes)));
  const placeX = (nodes: number): number => LEFT + (Math.log10(nodes) / most) * (WIDTH - LEFT - RIGHT);
  const placeY = (value: number): number =>
    HEIGHT - BOTTOM - ((Math.log10(value) - low) / (high - low)) * (HEIGHT - BOTTOM - TOP);
  const write = (x: number, y: number, text: string, anchor = "middle", color = "#444"): string =>
    `<text x="${x.toFixed(0)}" y="${y.toFixed(0)}" text-anchor="${anchor}" fill="${color}">${text}</text>`;
  const drawLine = (
    color: string,
    label: string,
    labelY: number,
    readValue: (point: (typeof points)[number]) => number,
  ) => {
    const path = points.map((point) => `${placeX(point.nodes).toFixed(1)},${placeY(readValue(point)).toFixed(1)}`);
    const line = `<polyline fill="none" stroke="${color}" stroke-width="2" points="${path.join(" ")}"/>`;
    return `${line}${write(WIDTH - RIGHT, labelY, label, "end", color)}`;
  };
  const decades = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    ...decades.map((value) => {
      const line = `<path d="M${LEFT} ${placeY(value).toFixed(1)}H${WIDTH - RIGHT}" stroke="#ddd"/>`;
      return `${line}${write(LEFT - 8, placeY(value) + 4, String(value), "end")}`;
    }),
    ...points.map(({ nodes }) => write(placeX(nodes), HEIGHT - BOTTOM + 18, String(nodes))),
    write(WIDTH / 2, HEIGHT - 6, "nodes of one core"),
    write(LEFT, 14, "orders a second, predicted", "start"),
    drawLine("#777", "nodes alone", 30, ({ alone }) => alone),
    drawLine("#0b5fff", "over one store", 14, ({ perSecond }) => perSecond),
    "</svg>\n",
  ].join("\n");
}
