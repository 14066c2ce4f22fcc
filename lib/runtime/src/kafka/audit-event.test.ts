import { fromBinary, type JsonObject } from '@bufbuild/protobuf';
import { EventSchema } from '@survey/proto/survey/events/v1/event_pb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toTenantId } from '../auth/tenant-id.ts';
import { type AuditedChange, auditEvent } from './audit-event.ts';
import { makeEvent } from './outbox-event.ts';

const context = { tenantId: toTenantId('t1'), actor: 'user-1', requestId: 'r-1', traceparent: '00-abc' };

const change: AuditedChange = {
  context,
  action: 'project.updated',
  resourceType: 'project',
  resourceId: 'p1',
  revision: 2,
  time: new Date('2026-01-02T03:04:05.678Z'),
  before: { name: 'Old', description: 'Same' },
  after: { name: 'New', description: 'Same' },
};

const read = (event: ReturnType<typeof auditEvent>) => fromBinary(EventSchema, event.value.value());

function changesOf(before: JsonObject, after: JsonObject): unknown {
  return read(auditEvent({ ...change, before, after })).data?.['changes'];
}

describe('auditEvent', () => {
  it('contains the actor, action, record, request and changes', () => {
    const event = auditEvent(change);
    expect(event).toMatchObject({ topic: 'audit.events', key: 'p1', headers: { traceparent: '00-abc' } });
    expect(read(event)).toMatchObject({
      type: 'audit.project.updated',
      tenantId: 't1',
      data: {
        action: 'project.updated',
        actor: 'user-1',
        resource_type: 'project',
        resource_id: 'p1',
        request_id: 'r-1',
        changes: [{ path: '/name', before: 'Old', after: 'New' }],
      },
    });
  });

  it('has another id than the domain event of the change, and is deterministic', () => {
    const { resourceId: recordId, revision, time } = change;
    const other = {
      topic: 'project.events',
      source: '/project',
      tenantId: context.tenantId,
      data: {},
      traceparent: '',
    };
    const event = makeEvent({ ...other, recordId, revision, time, type: change.action });
    expect(auditEvent(change).id).not.toBe(event.id);
    expect(auditEvent({ ...change, time: new Date() }).id).toBe(auditEvent(change).id);
    expect(auditEvent({ ...change, revision: 3 }).id).not.toBe(auditEvent(change).id);
  });

  it('lists the members of new and of deleted records', () => {
    expect(changesOf({}, { name: 'N', active: false })).toEqual([
      { path: '/name', after: 'N' },
      { path: '/active', after: false },
    ]);
    expect(changesOf({ name: 'N' }, {})).toEqual([{ path: '/name', before: 'N' }]);
  });

  it('points to nested members with JSON pointers', () => {
    const before = { settings: { 'a/b~c': [1, 2] }, gone: null };
    expect(changesOf(before, { settings: { 'a/b~c': [1, 3] } })).toEqual([
      { path: '/settings/a~1b~0c/1', before: 2, after: 3 },
      { path: '/gone', before: null },
    ]);
  });

  it('has no changes if nothing changed', () => {
    expect(changesOf({ a: { b: [1] } }, { a: { b: [1] } })).toEqual([]);
  });

  it('reports members that are named like methods of objects', () => {
    const [one, other] = [{ constructor: 1, toString: 'x' }, { valueOf: {} }];
    expect(changesOf({ settings: one }, { settings: other })).toEqual([
      { path: '/settings/constructor', before: 1 },
      { path: '/settings/toString', before: 'x' },
      { path: '/settings/valueOf', after: {} },
    ]);
  });

  it('accepts any two records', () => {
    const name = fc.oneof(fc.constantFrom('constructor', 'toString', 'valueOf', 'toJSON', '__proto__'), fc.string());
    // fast-check declares its own JSON type.
    const record = fc.dictionary(name, fc.jsonValue({ maxDepth: 6 })) as fc.Arbitrary<JsonObject>;
    fc.assert(fc.property(record, record, (before, after) => void changesOf(before, after)));
  });

  it('replaces a value of more than 1,000 characters by its length', () => {
    const [kept, long] = ['x'.repeat(998), 'x'.repeat(999)];
    expect(changesOf({ name: long }, { name: kept })).toEqual([
      { path: '/name', before: '(1001 characters)', after: kept },
    ]);
  });

  it('contains the first 100 changes and the number of others', () => {
    const after = Object.fromEntries(Array.from({ length: 103 }, (_, index) => [`m${index}`, index]));
    const changes = changesOf({}, after);
    expect(changes).toHaveLength(101);
    expect(changes).toMatchObject({ 99: { path: '/m99', after: 99 }, 100: { path: '', after: '(3 more changes)' } });
  });

  it('counts all changes of two definitions of one megabyte', () => {
    const listOf = (value: number) => ({ list: Array(500_000).fill(value) });
    expect(changesOf(listOf(1), listOf(2))).toMatchObject({ 100: { path: '', after: '(499900 more changes)' } });
  });

  it.each<[string, (index: number) => JsonObject]>([
    ['texts that take three bytes a character', (index) => ({ [`m${index}`]: '語'.repeat(990) })],
    ['lists of small numbers', (index) => ({ [`m${index}`]: Array(450).fill(1) })],
    ['names without end', (index) => ({ [`${'n'.repeat(600_000)}${index}`]: 1 })],
    ['nested objects', (index) => ({ [`m${index}`]: Array(190).fill({ '': 1 }) })],
  ])('has at most 64 kB with %s', (_, member) => {
    const after = Object.assign({}, ...Array.from({ length: 120 }, (__, index) => member(index)));
    expect(auditEvent({ ...change, before: {}, after }).value.length()).toBeLessThan(64_000);
  });
});
