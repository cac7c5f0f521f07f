import { integer, string } from "@partline/api-contracts";

export const sha256Rule = string({
  pattern: /^[0-9a-f]{64}$/,
  words: "64 hexadecimal digits",
  description: "SHA-256 of the PDF",
  example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
});

/** Page number, from 1. */
export const pageNumberRule = integer({ min: 1, max: 100_000 });
