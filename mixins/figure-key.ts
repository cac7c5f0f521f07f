/** The name of a manual's figure in its parts and pages: the label, else the title, else empty. */
export function figureKey({ label, title }: { label: string; title: string }): string {
  return label === "" ? title : label;
}
