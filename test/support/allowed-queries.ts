import { type AllowedQuery, PROBE } from './query-profile.ts';

/** Queries that are allowed to examine many more documents than they return, each with its reason. */
export const allowedQueries: readonly AllowedQuery[] = [
  { ns: /\.leases$/, filter: `"${PROBE}"`, reason: 'Shows that the profiler records scans.' },
  { ns: /\.system\.profile$/, reason: 'Reads what the profiler recorded.' },
  {
    ns: /\.responses$|\.files$/,
    plan: 'IXSCAN { _id: 1 }',
    filter: '"_id":{"$in"',
    reason: 'Examines the documents that it names. Others may have these ids, and published tombstones are gone.',
  },
  {
    ns: /\.responses$/,
    op: 'aggregate',
    plan: 'IXSCAN { tenant_id: 1, survey_id: 1, created_at: -1',
    keysOnly: true,
    reason: 'An exact count with filters. It is cached while nobody writes to the survey.',
  },
  {
    ns: /\.responses$/,
    op: 'query',
    plan: 'IXSCAN { tenant_id: 1, survey_id: 1, created_at: -1',
    keysOnly: true,
    reason: 'A page of a filtered list: reads the keys of the survey in their order until the page is full.',
  },
  {
    ns: /\.files$/,
    op: 'aggregate',
    plan: 'IXSCAN { tenant_id: 1, survey_id: 1, state: 1, size: 1',
    keysOnly: true,
    reason: 'The number and size of the uploads to a survey that no response has yet, up to their limit.',
  },
  {
    ns: /\.import_errors$/,
    op: 'query',
    plan: 'IXSCAN { _id: 1 }',
    reason: 'The rejected responses of an import, in batches. The reader stops when it has enough.',
  },
  {
    ns: /\.deliveries$/,
    filter: '"status":{"$in":["?"]},"created_at":{"$lt":"?"},"event_type":{"$ne":"?"}',
    reason: 'A replay reads the deliveries of its time in their order, and takes those that failed.',
  },
  {
    ns: /\.deliveries$/,
    op: 'aggregate',
    filter: '{"$limit":"?"},{"$group":{"_id":"?","n":{"$sum":"?"}}}]',
    keysOnly: true,
    reason: 'Counts the pending or due deliveries of a webhook, up to a limit, by keys alone.',
  },
  {
    ns: /\.responses$/,
    op: 'aggregate',
    plan: 'COUNT_SCAN',
    filter: '"survey_id":"?"',
    reason: 'An exact count, by keys alone. It is cached while nobody writes to the survey.',
  },
  {
    ns: /\.responses$/,
    op: 'aggregate',
    filter: '{"$group":{"_id":"?"}},{"$sort":{"_id":"?"}}]',
    reason: 'The versions of the responses that an export or a summary reads afterwards, by keys alone.',
  },
  {
    ns: /./,
    op: 'aggregate',
    plan: 'IXSCAN { outbox.at: 1 }',
    reason: 'The size of an outbox: one replica counts up to 10,000 keys when its metrics are read.',
  },
  {
    ns: /\.deliveries$/,
    op: 'aggregate',
    filter: '"webhook_id":{"$nin"',
    reason: 'How many deliveries are due: one replica counts a bounded number of keys when its metrics are read.',
  },
  {
    ns: /\.deliveries$/,
    op: 'query',
    filter: '{"webhook_id":"?","created_at":{"$gte":"?"},"event_type":"?"',
    reason: 'The tests of a webhook in the last minute, by keys alone, at most ten times a minute.',
  },
  {
    ns: /\.deliveries$/,
    op: 'query',
    filter: '{"webhook_id":"?","event_type":"?"',
    reason:
      'A page of the deliveries of one event type: reads the keys of the webhook in their order until it is full.',
  },
  {
    ns: /\.surveys$/,
    op: 'aggregate',
    filter: '{"$match":{"title_prefixes":"?"',
    reason: 'Counts the surveys with a word of the title, up to a limit and by keys alone, to choose the rarest word.',
  },
];
