export type ManualLinks = ReturnType<typeof createManualLinks>;

/**
 * Creates absolute links to what the pipeline serves of a manual; all of them open without a credential. @param base
 * without a slash at its end
 */
export function createManualLinks(base: string) {
  const getManualUrl = (sha256: string): string => `${base}/api/manuals/${sha256}`;
  const getSourceUrl = (sha256: string): string => `${getManualUrl(sha256)}/source.pdf`;
  const page = (sha256: string, number: number): string => `${getManualUrl(sha256)}/pages/${number}.webp`;
  return {
    source: getSourceUrl,
    /** Opens the PDF at the page. */
    pdf: (sha256: string, number: number) => `${getSourceUrl(sha256)}#page=${number}`,
    /** The page drawn. */
    page,
    /** The image that shows a figure, else its page. */
    figure: (sha256: string, number: number, index: number | undefined) =>
      index === undefined ? page(sha256, number) : `${getManualUrl(sha256)}/images/${number}-${index}.webp`,
  };
}
