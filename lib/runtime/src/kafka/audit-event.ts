import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { topics } from '@survey/proto/catalog';
import type { Actor } from '../auth/actor.ts';
import { type Difference, differencesOf } from '../json/differences.ts';
import { makeEvent } from './make-event.ts';
import type { OutboxEvent } from './outbox-event.ts';

/** A change of a record, by somebody. */
export interface AuditedChange {
  readonly by: Actor;
  /** What was done, for example `survey.published`. */
  readonly action: string;
  /** Kind of record, for example `survey`. */
  readonly resourceType: string;
  readonly resourceId: string;
  /** Id of the record on the whole platform, where `resourceId` is one within its tenant alone, as a user's is. */
  readonly recordId?: string;
  /** Revision of the record after the change; with its id and the action it makes the event's id. */
  readonly revision: number;
  readonly time: Date;
  /** What may be told of the record before the change, in the API's names: no secrets, no answers. Empty for a new one. */
  readonly before: JsonObject;
  /** What may be told of it after the change. Empty for one that is gone. */
  readonly after: JsonObject;
}

/** Members of records that every audit event says by itself: of which record, when and by whom. */
export type EnvelopeKey = 'id' | 'tenantId' | 'revision' | 'createdAt' | 'updatedAt' | 'createdBy' | 'updatedBy';

const MAX_CHANGES = 100;
/** Of a value as JSON text. */
const MAX_CHARACTERS = 1_000;
/**
 * Of all changes as JSON text; an event takes up to six times as many bytes of them. Events wait in the document of their
 * record while Kafka is away, and that has its limit.
 */
const MAX_ALL_CHARACTERS = 10_000;

/** The audit event of a change: who did what to which record, and what is different now. */
export function auditEvent(change: AuditedChange): OutboxEvent {
  const { by, action, resourceType, resourceId, recordId = resourceId, revision, time, before, after } = change;
  return makeEvent({
    topic: topics.audit,
    recordId,
    revision,
    // Apart from the event that tells others of the same change: each has an id of its own.
    type: `audit.${action}`,
    source: `/${resourceType}`,
    tenantId: by.tenantId,
    time,
    data: {
      action,
      actor: by.actor,
      resource_type: resourceType,
      resource_id: resourceId,
      request_id: by.requestId,
      changes: toChanges(before, after),
    },
    traceparent: by.traceparent,
  });
}

function toChanges(before: JsonObject, after: JsonObject): JsonObject[] {
  const changes: JsonObject[] = [];
  let room = MAX_ALL_CHARACTERS;
  let omitted = 0;
  for (const difference of differencesOf(before, after)) {
    const change = changes.length < MAX_CHANGES && room > 0 ? toChange(difference) : undefined;
    if (change !== undefined) room -= JSON.stringify(change).length;
    if (change !== undefined && room >= 0) changes.push(change);
    else omitted += 1;
  }
  return omitted === 0 ? changes : [...changes, { path: '', after: `(${omitted} more changes)` }];
}

function toChange({ path, before, after }: Difference): JsonObject {
  return {
    path,
    ...(before === undefined ? {} : { before: shortened(before) }),
    ...(after === undefined ? {} : { after: shortened(after) }),
  };
}

/** A long value is told by its length: a definition may have a megabyte. */
function shortened(value: JsonValue): JsonValue {
  const { length } = JSON.stringify(value);
  return length > MAX_CHARACTERS ? `(${length} characters)` : value;
}
