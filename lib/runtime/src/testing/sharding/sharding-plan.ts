/**
 * Collections that grow with responses. Their shard key is `{ _id: 'hashed' }`: see ADR 0039. Integration tests fail on
 * commands that need all shards, unless `broadcasts` contains them.
 */
export const shardedCollections: ReadonlySet<string> = new Set([
  'audit_events',
  'deliveries',
  'file_chunks',
  'files',
  'idempotency_keys',
  'invitations',
  'ledgers',
  'responses',
  'staged_pieces',
  'write_windows',
]);

/** Commands that go to all shards: their filter has neither one `_id` nor a list of them. A range does not count. */
interface Broadcast {
  readonly collections: readonly string[];
  readonly requiredFields: readonly string[];
  /** Fields that the filter may contain. */
  readonly optionalFields?: readonly string[];
  readonly reason: string;
  /** Whether a limit without a sort is allowed. */
  readonly anyOrder?: true;
}

/** Field of the condition for the next page, and of the two forms of an external id until they are sealed. */
const PAGE = ['$or'];

export const broadcasts: readonly Broadcast[] = [
  {
    collections: [...shardedCollections],
    requiredFields: ['tenant_id'],
    reason: 'A tenant is erased on every shard.',
    anyOrder: true,
  },
  {
    collections: ['responses'],
    requiredFields: ['tenant_id', 'survey_id'],
    optionalFields: [
      ...PAGE,
      'created_at',
      'survey_version',
      'status',
      'link_id',
      'language',
      'updated_at',
      'completed_at',
      'sealed_external_id.tag',
      'draw',
    ],
    reason: 'Shards read their part of a survey side by side: lists, counts, samples, exports, summaries, retention.',
  },
  {
    collections: ['responses'],
    requiredFields: ['external_id'],
    optionalFields: ['tenant_id', 'survey_id'],
    reason: 'External ids of the previous release are found and sealed on every shard.',
    anyOrder: true,
  },
  {
    collections: ['responses'],
    requiredFields: ['tenant_id', 'survey_id', 'changed'],
    optionalFields: [...PAGE, '_id'],
    reason: 'The change feed merges the changes of every shard in the order of cluster time.',
  },
  {
    collections: ['responses'],
    requiredFields: ['tenant_id', 'deleted_from', 'changed'],
    optionalFields: PAGE,
    reason: 'The change feed merges the deletions of every shard.',
  },
  {
    collections: ['responses'],
    requiredFields: ['tenant_id', 'deleted_from'],
    optionalFields: ['outbox.at'],
    reason: 'A purged survey loses its tombstones.',
    anyOrder: true,
  },
  {
    collections: ['responses'],
    requiredFields: ['temporary', 'created_at', 'outbox.at'],
    reason: 'Old tombstones are deleted on every shard.',
    anyOrder: true,
  },
  {
    collections: ['responses'],
    requiredFields: ['tenant_id', 'survey_id', 'created_at', 'outbox.at'],
    reason: 'Old tombstones are deleted on every shard.',
    anyOrder: true,
  },
  {
    collections: ['responses'],
    requiredFields: ['outbox.at'],
    reason: 'The relay publishes the events of every shard. Those of one document keep their order.',
    anyOrder: true,
  },
  {
    collections: ['responses'],
    requiredFields: ['status', 'updated_at'],
    reason: 'Responses in progress are abandoned on every shard.',
    anyOrder: true,
  },
  {
    collections: ['ledgers'],
    requiredFields: ['entries.at'],
    reason: 'Abandoned entries are settled on every shard.',
    anyOrder: true,
  },
  {
    collections: ['ledgers'],
    requiredFields: ['counted.at', 'recount_at'],
    reason: 'Recounts are continued on every shard.',
    anyOrder: true,
  },
  {
    collections: ['ledgers'],
    requiredFields: ['tenant_id', 'survey_id'],
    reason: 'A purged survey loses the ledgers of its links.',
  },
  {
    collections: ['invitations'],
    requiredFields: ['tenant_id', 'survey_id'],
    optionalFields: ['link_id'],
    reason: 'A deleted link or a purged survey loses its invitations.',
    anyOrder: true,
  },
  {
    collections: ['files'],
    requiredFields: ['due_at'],
    reason: 'Files to which no response refers are destroyed on every shard.',
  },
  {
    collections: ['files'],
    requiredFields: ['tenant_id', 'survey_id'],
    optionalFields: ['state'],
    reason: 'Uploads count for the storage limit of their survey; a purged survey loses its files.',
    anyOrder: true,
  },
  {
    collections: ['files'],
    requiredFields: ['tenant_id', 'response_id'],
    optionalFields: ['_id', 'state', 'due_at'],
    reason:
      'Ids of files are chosen before the response exists, so they cannot share its shard. Few responses have files.',
    anyOrder: true,
  },
  {
    collections: ['file_chunks', 'staged_pieces'],
    requiredFields: ['_id', 'tenant_id'],
    reason: 'The chunks of a deleted file lie on several shards.',
  },
  {
    collections: ['deliveries'],
    requiredFields: ['lane', 'due_at'],
    optionalFields: ['webhook_id', 'tenant_id'],
    reason: 'Due deliveries are claimed on every shard.',
  },
  {
    collections: ['deliveries'],
    requiredFields: ['tenant_id', 'webhook_id'],
    optionalFields: [...PAGE, 'created_at', 'event_type', 'status', 'due_at', 'failure_reason', 'next_attempt_at'],
    reason: 'Lists, replays and counts of the deliveries of a webhook.',
  },
  {
    collections: ['deliveries'],
    requiredFields: ['created_at', 'due_at'],
    reason: 'Old deliveries are deleted on every shard.',
    anyOrder: true,
  },
  {
    collections: ['deliveries'],
    requiredFields: ['tenant_id', 'response_id'],
    reason: 'Replies about a deleted response are erased on every shard.',
  },
  {
    collections: ['deliveries'],
    requiredFields: ['attempts.response_excerpt'],
    reason: 'Plaintext of the previous release is removed on every shard.',
    anyOrder: true,
  },
  {
    collections: ['deliveries'],
    requiredFields: ['$or'],
    reason: 'One replica measures how many deliveries are due.',
  },
  {
    collections: ['audit_events'],
    requiredFields: ['tenant_id'],
    optionalFields: [...PAGE, 'actor', 'action', 'resource_type', 'resource_id', 'created_at'],
    reason: 'Lists of audit events read every shard.',
  },
];
