/** Absolute links to what the pipeline serves of a manual; all of them open without a credential. */
export interface ManualLinks {
  /** Opens the PDF at the page. */
  pdf(sha256: string, page: number): string;
  image(sha256: string, page: number, index: number): string;
  /** The page drawn. */
  page(sha256: string, page: number): string;
}

/** @param base without a slash at its end */
export function createManualLinks(base: string): ManualLinks {
  const manual = (sha256: string): string => `${base}/api/manuals/${sha256}`;
  return {
    pdf: (sha256, page) => `${manual(sha256)}/source.pdf#page=${page}`,
    image: (sha256, page, index) => `${manual(sha256)}/images/${page}-${index}.webp`,
    page: (sha256, page) => `${manual(sha256)}/pages/${page}.webp`,
  };
}
