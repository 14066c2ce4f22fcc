/**
 * Collections that grow with responses. Their shard key is `{ _id: 'hashed' }`: see ADR 0039. Integration tests fail on
 * commands that do not fit.
 */
export const shardedCollections: ReadonlySet<string> = new Set([
  'audit_events',
  'deliveries',
  'file_chunks',
  'files',
  'idempotency_keys',
  'ledgers',
  'responses',
  'staged_pieces',
  'write_windows',
]);

/**
 * Commands that go to all shards, because their filter has neither one `_id` nor a list of them. A range of `_id` does
 * not count.
 */
interface Broadcast {
  readonly collections: readonly string[];
  /** Fields that the filter must contain. */
  readonly by: readonly string[];
  /** Fields that the filter may contain. */
  readonly and?: readonly string[];
  readonly why: string;
  /** Whether a limit without a sort is allowed. */
  readonly anyOrder?: true;
}

/** Field of the condition for the next page. */
const PAGE = ['$or'];

export const broadcasts: readonly Broadcast[] = [
  {
    collections: [...shardedCollections],
    by: ['tenant_id'],
    why: 'A tenant is erased on every shard.',
    anyOrder: true,
  },
  {
    collections: ['responses'],
    by: ['tenant_id', 'survey_id'],
    and: [
      ...PAGE,
      'created_at',
      'survey_version',
      'status',
      'link_id',
      'language',
      'updated_at',
      'completed_at',
      'draw',
    ],
    why: 'Shards read their part of a survey side by side: lists, counts, samples, exports, summaries, retention.',
  },
  {
    collections: ['responses'],
    by: ['tenant_id', 'survey_id', 'changed'],
    and: [...PAGE, '_id'],
    why: 'The change feed merges the changes of every shard in the order of cluster time.',
  },
  {
    collections: ['responses'],
    by: ['tenant_id', 'deleted_from', 'changed'],
    and: PAGE,
    why: 'The change feed merges the deletions of every shard.',
  },
  {
    collections: ['responses'],
    by: ['tenant_id', 'deleted_from'],
    and: ['outbox.at'],
    why: 'A purged survey loses its tombstones.',
    anyOrder: true,
  },
  {
    collections: ['responses'],
    by: ['temporary', 'created_at', 'outbox.at'],
    why: 'Old tombstones are deleted on every shard.',
    anyOrder: true,
  },
  {
    collections: ['responses'],
    by: ['tenant_id', 'survey_id', 'created_at', 'outbox.at'],
    why: 'Old tombstones are deleted on every shard.',
    anyOrder: true,
  },
  {
    collections: ['responses'],
    by: ['outbox.at'],
    why: 'The relay publishes the events of every shard. Those of one document keep their order.',
    anyOrder: true,
  },
  {
    collections: ['responses'],
    by: ['status', 'updated_at'],
    why: 'Responses in progress are abandoned on every shard.',
    anyOrder: true,
  },
  {
    collections: ['ledgers'],
    by: ['entries.at'],
    why: 'Abandoned entries are settled on every shard.',
    anyOrder: true,
  },
  {
    collections: ['ledgers'],
    by: ['tenant_id', 'survey_id'],
    why: 'A purged survey loses the ledgers of its links.',
  },
  {
    collections: ['files'],
    by: ['due_at'],
    why: 'Files to which no response refers are destroyed on every shard.',
  },
  {
    collections: ['files'],
    by: ['tenant_id', 'survey_id'],
    and: ['state'],
    why: 'Uploads count for the storage limit of their survey; a purged survey loses its files.',
    anyOrder: true,
  },
  {
    collections: ['files'],
    by: ['tenant_id', 'response_id'],
    and: ['_id', 'state', 'due_at'],
    why: 'Ids of files are chosen before the response exists, so they cannot share its shard. Few responses have files.',
    anyOrder: true,
  },
  {
    collections: ['file_chunks', 'staged_pieces'],
    by: ['_id', 'tenant_id'],
    why: 'The chunks of a deleted file lie on several shards.',
  },
  {
    collections: ['deliveries'],
    by: ['lane', 'due_at'],
    and: ['webhook_id', 'tenant_id'],
    why: 'Due deliveries are claimed on every shard.',
  },
  {
    collections: ['deliveries'],
    by: ['tenant_id', 'webhook_id'],
    and: [...PAGE, 'created_at', 'event_type', 'status', 'due_at', 'failure_reason', 'next_attempt_at'],
    why: 'Lists, replays and counts of the deliveries of a webhook.',
  },
  {
    collections: ['deliveries'],
    by: ['created_at', 'due_at'],
    why: 'Old deliveries are deleted on every shard.',
    anyOrder: true,
  },
  {
    collections: ['deliveries'],
    by: ['$or'],
    why: 'One replica measures how many deliveries are due.',
  },
  {
    collections: ['audit_events'],
    by: ['tenant_id'],
    and: [...PAGE, 'actor', 'action', 'resource_type', 'resource_id', 'created_at'],
    why: 'Lists of audit events read every shard.',
  },
];
