import { Client } from "@elastic/elasticsearch";

/** A prefix of indexes that no other test uses. */
export function elasticsearchTestPrefix(name: string): string {
  return `partline_test_${name}_${Date.now()}_${Math.floor(Math.random() * 1e6)}_`;
}

/** Deletes the indexes of a test, and theirs alone. */
export async function removeTestIndexes(prefix: string): Promise<void> {
  const client = testClient();
  const names = Object.keys(await client.indices.get({ index: `${prefix}*` }));
  if (names.length > 0) await client.indices.delete({ index: names });
  await client.close();
}

/** To look behind an index under test. */
export function testClient(): Client {
  return new Client({ node: process.env.ELASTICSEARCH_URL! });
}
