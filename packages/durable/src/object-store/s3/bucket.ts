import { CreateBucketCommand, HeadBucketCommand, type S3Client } from "@aws-sdk/client-s3";
import { ExponentialBackoff, handleWhen, retry } from "cockatiel";
import { ObjectStoreError } from "../port.ts";
import { getStatus, getName } from "./s3-errors.ts";

export interface S3Location {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** While another process makes the bucket, a server may say that it is not there and that it is there already. */
const BEING_MADE = retry(
  handleWhen((error) => getStatus(error) === 404 || getStatus(error) === 409),
  { maxAttempts: 6, backoff: new ExponentialBackoff({ initialDelay: 100, maxDelay: 2_000 }) },
);

/** Makes the bucket if needed; many processes may do so at once. @throws UNAVAILABLE, naming the wrong setting */
export async function ensureBucket(client: S3Client, { bucket, endpoint, region }: S3Location): Promise<void> {
  const createUnusable = (setting: string, why: string, error: unknown): ObjectStoreError =>
    new ObjectStoreError("UNAVAILABLE", `${setting}: ${why}`, { cause: error });
  const explainError = (error: unknown): ObjectStoreError => {
    const status = getStatus(error);
    if (status === undefined)
      return createUnusable("S3_ENDPOINT", `no S3 answers at ${new URL(endpoint).origin} (${getName(error)})`, error);
    if (status === 401 || status === 403)
      return createUnusable("S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY", `may not use the bucket ${bucket}`, error);
    if (status === 301 || status === 400)
      return createUnusable(
        "S3_REGION, S3_BUCKET",
        `the server refuses the bucket ${bucket} in ${region} (${getName(error)})`,
        error,
      );
    return createUnusable("S3_ENDPOINT", `what answers there answers ${status} (${getName(error)})`, error);
  };
  const isThere = (): Promise<unknown> => client.send(new HeadBucketCommand({ Bucket: bucket }));
  try {
    await BEING_MADE.execute(async () => {
      try {
        await isThere();
      } catch (error) {
        if (getStatus(error) !== 404) throw error;
        await client.send(new CreateBucketCommand({ Bucket: bucket }));
        await isThere();
      }
    });
  } catch (error) {
    throw explainError(error);
  }
}
