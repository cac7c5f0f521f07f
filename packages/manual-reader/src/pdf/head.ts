/** Readers look for the header in so many first bytes. Source: ISO 32000-1, annex H.3.4.1 */
export const HEAD_BYTES = 1_024;

export function isPdfHead(head: Buffer): boolean {
  return head.subarray(0, HEAD_BYTES).includes("%PDF-");
}
