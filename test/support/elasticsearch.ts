import { Client } from "@elastic/elasticsearch";

/** A prefix of indexes that no other test uses. */
export function elasticsearchTestPrefix(name: string): string {
  return `partline_test_${name}_${Date.now()}_${Math.floor(Math.random() * 1e6)}_`;
}

/** Deletes the indexes of a test, and theirs alone. */
export async function removeTestIndexes(prefix: string): Promise<void> {
  const client = testClient();
  const names = Object.keys(await client.indices.get({ index: `${prefix}*` }));
  // One by one: all of the names are too long for an address.
  for (const index of names) await client.indices.delete({ index });
  await client.close();
}

/** To look behind an index under test. */
export function testClient(): Client {
  return new Client({ node: process.env.ELASTICSEARCH_URL! });
}
