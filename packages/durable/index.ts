export { RETENTION_MS } from "./src/channels/deliveries.ts";
export { createNames } from "./src/channels/jetstream/names.ts";
export { openChannels } from "./src/channels/open.ts";
export { createMessagingAttributes } from "./src/channels/origin.ts";
export { createOutboxWrite, TARGETS } from "./src/channels/outbox.ts";
export {
  type ChannelEvent,
  type ChannelHandler,
  type ChannelHandlers,
  type Channels,
  ChannelsUnavailable,
  type DeadLetter,
  type EventOrigin,
  GivenUp,
} from "./src/channels/port.ts";
export { formatReason } from "./src/channels/redelivery.ts";
export type { ChannelsReport } from "./src/channels/report.ts";
export { type ClusterSecret, createClusterSecret, MAC_BYTES, UNSIGNED } from "./src/cluster-secret.ts";
export { compareAndSet, createReplacement } from "./src/document-store/compare-and-set.ts";
export { openDocumentStore } from "./src/document-store/open.ts";
export {
  type AtomicWrite,
  type Collection,
  type CollectionDefinition,
  type Condition,
  contains,
  type Document,
  type DocumentStore,
  type Filter,
  hasStoreCode,
  isStoreAway,
  isWritten,
  type Scalar,
  type SortSpec,
  type Update,
} from "./src/document-store/port.ts";
export { createSequences, type Sequences } from "./src/document-store/sequence.ts";
export { startUnique } from "./src/document-store/start-unique.ts";
export { isTooLarge, LARGEST_EVENT_BYTES } from "./src/event-log/model/events.ts";
export { openEventLog } from "./src/event-log/open.ts";
export {
  type Appended,
  type EventLog,
  hasEventLogCode,
  type NewEvent,
  type StoredEvent,
} from "./src/event-log/port.ts";
export { createLeases, type HeldLease, type Leases } from "./src/lease.ts";
export {
  findNatsRefusal,
  findNatsUrlFlaw,
  hasNatsCredentials,
  parseNatsServers,
  isReachable,
  STAY_CONNECTED,
} from "./src/nats-servers.ts";
export { openObjectStore, readJsonObject, readObject } from "./src/object-store/open.ts";
export { hasObjectStoreCode, type ObjectStore, ObjectStoreError } from "./src/object-store/port.ts";
export type { S3Location } from "./src/object-store/s3/bucket.ts";
export { type Periodic, type PeriodicTask, startPeriodic } from "./src/periodic.ts";
export { openForReading, openForWriting, StatementCache } from "./src/sqlite/connection.ts";
export type { KindDepth, TaskFilter, TaskHandler, TaskRun } from "./src/tasks/port.ts";
export {
  createDequeueWrite,
  type EnqueueOptions,
  enqueueWrite,
  getTaskId,
  type Task,
  type TaskDocument,
  TASKS,
} from "./src/tasks/task.ts";
export { createTasks, type Tasks } from "./src/tasks/tasks.ts";
export { BackupError, createBackup, restore } from "./src/backup/backup.ts";
