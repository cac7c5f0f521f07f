/** By which the parts and pages of a manual name its figure: the label, else the title; empty where it has neither. */
export function figureKey({ label, title }: { label: string; title: string }): string {
  return label === "" ? title : label;
}
