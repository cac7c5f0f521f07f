import type { S3Location } from "../../packages/durable/src/object-store/s3/bucket.ts";

/**
 * The S3 that the environment names, with a bucket of its own, `partline-test-…`: the test stack's has room for a few
 * dozen only.
 */
export function s3TestLocation(): S3Location {
  return {
    endpoint: process.env.S3_ENDPOINT!,
    region: process.env.S3_REGION ?? "us-east-1",
    bucket: `partline-test-${Date.now()}-${Math.floor(Math.random() * 1e6)}`,
    accessKeyId: process.env.S3_ACCESS_KEY_ID ?? "",
    secretAccessKey: process.env.S3_SECRET_ACCESS_KEY ?? "",
  };
}

/** The settings of a bucket of its own, where there is an S3; else objects are files. */
export function s3Settings(location = process.env.S3_ENDPOINT ? s3TestLocation() : undefined): Record<string, string> {
  if (!location) return {};
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = location;
  return {
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
}

/** Most tests have no S3, and need not wait for its client. */
async function clientOf({ endpoint, region, accessKeyId, secretAccessKey }: S3Location) {
  const commands = await import("@aws-sdk/client-s3");
  const client = new commands.S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: "WHEN_REQUIRED",
  });
  return { client, ...commands };
}

/** Puts an object past our own client, under any name. */
export async function putByOthers(location: S3Location, key: string, content: string | Buffer): Promise<void> {
  const { client, PutObjectCommand } = await clientOf(location);
  await client.send(new PutObjectCommand({ Bucket: location.bucket, Key: key, Body: content }));
  client.destroy();
}

/** Removes a test's bucket with all that is in it. */
export async function removeTestBucket(location: S3Location): Promise<void> {
  const { bucket } = location;
  const { client, DeleteBucketCommand, DeleteObjectsCommand, ListObjectsV2Command } = await clientOf(location);
  for (;;) {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
    if (Contents.length === 0) break;
    await client.send(
      new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: Contents.map(({ Key }) => ({ Key })) } }),
    );
  }
  await client.send(new DeleteBucketCommand({ Bucket: bucket }));
  client.destroy();
}
