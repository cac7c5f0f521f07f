import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  type ListObjectsV2CommandInput,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { assertKey, assertPrefix, assertRange, assertReadable, createBadRange, createNoSuchObject } from "../key.ts";
import { createMeasuredBody } from "../measured.ts";
import { type S3Location, ensureBucket } from "./bucket.ts";
import { ObjectStoreError, type ObjectStore } from "../port.ts";
import { getStatus, createUnavailable } from "./s3-errors.ts";

/** An upload holds this many parts in memory, of this many bytes, and one that fills. */
const PARTS_AT_ONCE = 2;
const PART_BYTES = 8 * 1024 * 1024;

const CONNECT_WITHIN_MS = 3_000;
/** Longest silence of the server, milliseconds. */
const ANSWER_WITHIN_MS = 15_000;

/** Objects in a bucket, which is made if needed. @throws UNAVAILABLE, naming the setting */
export async function openS3Store(location: S3Location): Promise<ObjectStore> {
  const { bucket } = location;
  const client = new S3Client(toConfig(location));
  await ensureBucket(client, location).catch((error: unknown) => {
    client.destroy();
    throw error;
  });

  return {
    put: async (key, body, { contentType } = {}) => {
      assertKey(key);
      const { body: content, stored, failure } = createMeasuredBody(body);
      const source = Readable.from(content, { objectMode: false });
      const upload = new Upload({
        client,
        queueSize: PARTS_AT_ONCE,
        partSize: PART_BYTES,
        params: { Bucket: bucket, Key: key, Body: source, ContentType: contentType ?? "application/octet-stream" },
      });
      try {
        await upload.done();
        return stored();
      } catch (error) {
        source.destroy();
        throw failure(createUnavailable(error));
      }
    },
    get: async (key, range) => {
      assertReadable(key);
      if (range) assertRange(range);
      try {
        const answer = await client.send(
          new GetObjectCommand({
            Bucket: bucket,
            Key: key,
            Range: range && `bytes=${range.from}-${range.to}`,
          }),
        );
        const totalBytes = /\/(\d+)$/.exec(answer.ContentRange ?? "")?.[1];
        return { bytes: Number(totalBytes ?? answer.ContentLength), body: answer.Body as Readable };
      } catch (error) {
        if (getStatus(error) === 404) throw createNoSuchObject(key);
        throw getStatus(error) === 416 ? createBadRange() : createUnavailable(error);
      }
    },
    head: async (key) => {
      assertReadable(key);
      const answer = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key })).catch(ignoreAbsent);
      return answer && { key, bytes: answer.ContentLength!, modifiedAt: answer.LastModified! };
    },
    delete: async (key) => {
      assertKey(key);
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key })).catch(ignoreAbsent);
    },
    list: (prefix, after) => {
      assertPrefix(prefix);
      return listBelow(client, { Bucket: bucket, Prefix: prefix || undefined, StartAfter: after });
    },
    removeAbandoned: () => Promise.resolve(),
    ping: async () => {
      await client.send(new HeadBucketCommand({ Bucket: bucket })).catch((error: unknown) => {
        throw createUnavailable(error);
      });
    },
    close: () => client.destroy(),
  };
}

function ignoreAbsent(error: unknown): undefined {
  if (getStatus(error) !== 404) throw createUnavailable(error);
}

async function* listBelow(client: S3Client, query: ListObjectsV2CommandInput) {
  try {
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, query)) {
      for (const { Key, Size, LastModified } of Contents)
        // SeaweedFS goes on by folders, after a key that is not there: too early by its characters before "/".
        if (Key! > (query.StartAfter ?? "")) yield { key: Key!, bytes: Size!, modifiedAt: LastModified! };
    }
  } catch (error) {
    throw error instanceof ObjectStoreError ? error : createUnavailable(error);
  }
}

function toConfig({ endpoint, region, accessKeyId, secretAccessKey }: S3Location): S3ClientConfig {
  return {
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Most servers have no host name for each bucket.
    forcePathStyle: true,
    // Not every S3 knows the checksums that the client adds by default.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 3,
    requestHandler: { connectionTimeout: CONNECT_WITHIN_MS, socketTimeout: ANSWER_WITHIN_MS },
  };
}
