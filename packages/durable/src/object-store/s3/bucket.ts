import { CreateBucketCommand, HeadBucketCommand, type S3Client } from "@aws-sdk/client-s3";
import { ExponentialBackoff, handleWhen, retry } from "cockatiel";
import type { S3Location } from "../open.ts";
import { ObjectStoreError } from "../port.ts";
import { statusOf, nameOf } from "./s3-errors.ts";

/** While another process makes the bucket, a server may say that it is not there and that it is there already. */
const BEING_MADE = retry(
  handleWhen((error) => statusOf(error) === 404 || statusOf(error) === 409),
  { maxAttempts: 6, backoff: new ExponentialBackoff({ initialDelay: 100, maxDelay: 2_000 }) },
);

/** Makes the bucket if needed; many processes may do so at once. @throws UNAVAILABLE, naming the wrong setting */
export async function ensureBucket(client: S3Client, { bucket, endpoint, region }: S3Location): Promise<void> {
  const unusable = (setting: string, why: string, error: unknown): ObjectStoreError =>
    new ObjectStoreError("UNAVAILABLE", `${setting}: ${why}`, { cause: error });
  const explained = (error: unknown): ObjectStoreError => {
    const status = statusOf(error);
    if (status === undefined)
      return unusable("S3_ENDPOINT", `no S3 answers at ${new URL(endpoint).origin} (${nameOf(error)})`, error);
    if (status === 401 || status === 403)
      return unusable("S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY", `may not use the bucket ${bucket}`, error);
    if (status === 301 || status === 400)
      return unusable(
        "S3_REGION, S3_BUCKET",
        `the server refuses the bucket ${bucket} in ${region} (${nameOf(error)})`,
        error,
      );
    return unusable("S3_ENDPOINT", `what answers there answers ${status} (${nameOf(error)})`, error);
  };
  const isThere = (): Promise<unknown> => client.send(new HeadBucketCommand({ Bucket: bucket }));
  try {
    await BEING_MADE.execute(async () => {
      try {
        await isThere();
      } catch (error) {
        if (statusOf(error) !== 404) throw error;
        await client.send(new CreateBucketCommand({ Bucket: bucket }));
        await isThere();
      }
    });
  } catch (error) {
    throw explained(error);
  }
}
