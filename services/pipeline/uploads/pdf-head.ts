/**
 * So many first bytes tell whether a file is a PDF: readers look for the header in them (ISO 32000-1, annex H.3.4.1).
 */
export const HEAD_BYTES = 1_024;

export function isPdfHead(head: Uint8Array): boolean {
  return Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, HEAD_BYTES)).includes("%PDF-");
}
