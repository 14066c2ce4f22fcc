import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { topics } from '@survey/proto/catalog';
import type { ChangeContext } from '../auth/caller.ts';
import { toPointerToken } from '../json/pointer.ts';
import { makeEvent, type OutboxEvent } from './outbox-event.ts';

export interface AuditedChange {
  readonly context: ChangeContext;
  /** For example `survey.published`. */
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string;
  /** Id that is unique on the platform. Needed if `resourceId` is unique only in its tenant, as a user's is. */
  readonly recordId?: string;
  /** Revision of the record after the change. The event's id is derived from it, the record's id and the action. */
  readonly revision: number;
  readonly time: Date;
  /** The record before the change, with names of the API; without secrets and answers. Empty for a new record. */
  readonly before: JsonObject;
  /** The record after the change. Empty for a deleted record. */
  readonly after: JsonObject;
}

/** Members of records that are not in `before` and `after`: audit events have fields of their own for them. */
export type CommonMember = 'id' | 'tenantId' | 'revision' | 'createdAt' | 'updatedAt' | 'createdBy' | 'updatedBy';

const MAX_CHANGES = 100;
/** Maximum length of a value as JSON text. */
const MAX_CHARACTERS = 1_000;
/** Maximum length of all changes as JSON text: events wait in the document of their record while Kafka is down. */
const MAX_ALL_CHARACTERS = 10_000;

export function auditEvent(change: AuditedChange): OutboxEvent {
  const { context, action, resourceType, resourceId, recordId = resourceId, revision, time, before, after } = change;
  return makeEvent({
    topic: topics.audit,
    recordId,
    revision,
    // The prefix makes the id differ from that of the domain event of the same change.
    type: `audit.${action}`,
    source: `/${resourceType}`,
    tenantId: context.tenantId,
    time,
    data: {
      action,
      actor: context.actor,
      resource_type: resourceType,
      resource_id: resourceId,
      request_id: context.requestId,
      changes: toChanges(before, after),
    },
    traceparent: context.traceparent,
  });
}

function toChanges(before: JsonObject, after: JsonObject): JsonObject[] {
  const changes: JsonObject[] = [];
  let remaining = MAX_ALL_CHARACTERS;
  let omitted = 0;
  for (const difference of differencesOf(before, after)) {
    const change = changes.length < MAX_CHANGES && remaining > 0 ? toChange(difference) : undefined;
    if (change !== undefined) remaining -= JSON.stringify(change).length;
    if (change !== undefined && remaining >= 0) changes.push(change);
    else omitted += 1;
  }
  // No other change has the empty path: it points to the whole record.
  return omitted === 0 ? changes : [...changes, { path: '', after: `(${omitted} more changes)` }];
}

function toChange({ path, before, after }: Difference): JsonObject {
  return {
    path,
    ...(before === undefined ? {} : { before: shortened(before) }),
    ...(after === undefined ? {} : { after: shortened(after) }),
  };
}

/** Replaces a long value by its length: the definition of a survey may have a megabyte. */
function shortened(value: JsonValue): JsonValue {
  const { length } = JSON.stringify(value);
  return length > MAX_CHARACTERS ? `(${length} characters)` : value;
}

interface Difference {
  /** JSON pointer (RFC 6901), with long names cut. */
  readonly path: string;
  /** Undefined if the member is new. */
  readonly before: JsonValue | undefined;
  /** Undefined if the member was removed. */
  readonly after: JsonValue | undefined;
}

/** Yields the differences of two JSON objects. Nested objects are compared by member, nested arrays by index. */
export function* differencesOf(before: JsonObject, after: JsonObject): Generator<Difference, void> {
  // An explicit stack: recursion would overflow on deeply nested values.
  const stack = [membersOf('', before, after)];
  for (let members = stack.at(-1); members !== undefined; members = stack.at(-1)) {
    const { value: member } = members.next();
    if (member === undefined) stack.pop();
    else if (areBothNested(member)) stack.push(membersOf(member.path, member.before, member.after));
    else if (member.before !== member.after) yield member;
  }
}

/** Pairs the members of two objects by name: first those of `before`, then those that only `after` has. */
function* membersOf(path: string, before: JsonObject, after: JsonObject): Generator<Difference, undefined> {
  for (const name of Object.keys(before)) {
    const newValue = Object.hasOwn(after, name) ? after[name] : undefined;
    yield { path: path + toPointerToken(name), before: before[name], after: newValue };
  }
  for (const name of Object.keys(after)) {
    if (Object.hasOwn(before, name)) continue;
    yield { path: path + toPointerToken(name), before: undefined, after: after[name] };
  }
}

/** Whether both values are objects, or both are arrays. The indexes of arrays count as names. */
function areBothNested(member: {
  readonly before: unknown;
  readonly after: unknown;
}): member is { readonly before: JsonObject; readonly after: JsonObject } {
  const { before, after } = member;
  return isNested(before) && isNested(after) && Array.isArray(before) === Array.isArray(after);
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
