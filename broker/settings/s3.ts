import type { S3Location } from "../../mixins/object-store/open.ts";
import type { SettingsReader } from "./reader.ts";

export function readS3(read: SettingsReader): S3Location | undefined {
  const endpoint = read.url("S3_ENDPOINT");
  const given = {
    bucket: read.text("S3_BUCKET"),
    accessKeyId: read.secret("S3_ACCESS_KEY_ID"),
    secretAccessKey: read.secret("S3_SECRET_ACCESS_KEY"),
  };
  if (endpoint === undefined) {
    // A bucket without an S3 is a mistake: the objects would be in DATA_DIR.
    if (given.bucket !== undefined) read.missing("S3_ENDPOINT");
    return undefined;
  }
  if (given.bucket !== undefined && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(given.bucket)) {
    read.unusable("S3_BUCKET", "is not 3 to 63 lower-case letters, digits, dots and dashes");
  }
  return {
    endpoint,
    region: read.text("S3_REGION") ?? "us-east-1",
    bucket: given.bucket ?? read.missing("S3_BUCKET"),
    accessKeyId: given.accessKeyId ?? read.missing("S3_ACCESS_KEY_ID"),
    secretAccessKey: given.secretAccessKey ?? read.missing("S3_SECRET_ACCESS_KEY"),
  };
}
