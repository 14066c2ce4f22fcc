/**
 * Each write of a response or tombstone sets `changed` to the cluster time of MongoDB, which orders the change feed
 * (ADR 0065). Use this in updates with operators. For inserts, `toDocument` sets the value.
 */
export const SET_CHANGED = { $currentDate: { changed: { $type: 'timestamp' as const } } } as const;

/** The value of `changed` in updates with pipelines. */
export const CLUSTER_TIME = '$$CLUSTER_TIME';
