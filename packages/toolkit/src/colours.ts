type Channels = readonly [number, number, number];

/**
 * Returns a colour (`#rrggbb`), or the nearest one towards black or white that has the contrast with a ground by WCAG
 * 2: darker on a light ground, lighter on a dark one. Text needs 4.5.
 */
export function adjustContrast(colour: string, ground: string, least = 4.5): string {
  const channels = parseColour(colour);
  const groundLight = computeLuminance(parseColour(ground));
  // White and black have the same contrast with this one.
  const target = groundLight > 0.179 ? 0 : 255;
  for (let share = 0; share < 1; share += 0.01) {
    const mixed = channels.map((channel) => Math.round(channel + (target - channel) * share)) as unknown as Channels;
    const [dark, light] = [groundLight, computeLuminance(mixed)].sort((a, b) => a - b) as [number, number];
    if ((light + 0.05) / (dark + 0.05) >= least)
      return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
  }
  return target === 0 ? "#000000" : "#ffffff";
}

function parseColour(colour: string): Channels {
  return [1, 3, 5].map((index) => parseInt(colour.slice(index, index + 2), 16)) as unknown as Channels;
}

function computeLuminance(channels: Channels): number {
  const [red, green, blue] = channels.map((channel) => {
    const share = channel / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
