export type ManualLinks = ReturnType<typeof createManualLinks>;

/**
 * Absolute links to what the pipeline serves of a manual; all of them open without a credential. @param base without a
 * slash at its end
 */
export function createManualLinks(base: string) {
  const manual = (sha256: string): string => `${base}/api/manuals/${sha256}`;
  const image = (sha256: string, page: number, index: number): string =>
    `${manual(sha256)}/images/${page}-${index}.webp`;
  const drawn = (sha256: string, page: number): string => `${manual(sha256)}/pages/${page}.webp`;
  return {
    /** Opens the PDF at the page. */
    pdf: (sha256: string, page: number) => `${manual(sha256)}/source.pdf#page=${page}`,
    source: (sha256: string) => `${manual(sha256)}/source.pdf`,
    /** The page drawn. */
    page: drawn,
    /** The image that shows a figure, else its page. */
    figure: (sha256: string, page: number, index: number | undefined) =>
      index === undefined ? drawn(sha256, page) : image(sha256, page, index),
  };
}
