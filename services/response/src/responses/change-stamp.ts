/**
 * Each write of a response or tombstone sets `changed` to the cluster time of MongoDB, which orders the change feed (ADR
 * 0065). This is for updates with operators; `toDocument` does it for inserts.
 */
export const SET_CHANGED = { $currentDate: { changed: { $type: 'timestamp' as const } } } as const;

/** The value of `changed` in updates with pipelines. */
export const CLUSTER_TIME = '$$CLUSTER_TIME';
