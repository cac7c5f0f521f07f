import { Client } from "@elastic/elasticsearch";

/** Some 60 characters each; Elasticsearch takes addresses of 4,096 bytes. */
const AT_ONCE = 30;

/** A prefix of indexes that no other test uses. */
export function elasticsearchTestPrefix(name: string): string {
  return `partline_test_${name}_${Date.now()}_${Math.floor(Math.random() * 1e6)}_`;
}

/** Deletes the indexes of a test, and theirs alone. */
export async function removeTestIndexes(prefix: string): Promise<void> {
  const client = testClient();
  const names = Object.keys(await client.indices.get({ index: `${prefix}*` }));
  // By a few: all of the names are too long for an address, and each request is a new state of the cluster.
  while (names.length > 0) await client.indices.delete({ index: names.splice(0, AT_ONCE) });
  await client.close();
}

/** To look behind an index under test. */
export function testClient(): Client {
  return new Client({ node: process.env.ELASTICSEARCH_URL! });
}
