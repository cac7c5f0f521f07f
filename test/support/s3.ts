import type { S3Location } from "../../mixins/object-store/open.ts";

/** The S3 that the environment names, with a bucket of its own, `partline-test-…`, which is left behind. */
export function s3TestLocation(): S3Location {
  return {
    endpoint: process.env.S3_ENDPOINT!,
    region: process.env.S3_REGION ?? "us-east-1",
    bucket: `partline-test-${Date.now()}-${Math.floor(Math.random() * 1e6)}`,
    accessKeyId: process.env.S3_ACCESS_KEY_ID ?? "",
    secretAccessKey: process.env.S3_SECRET_ACCESS_KEY ?? "",
  };
}
