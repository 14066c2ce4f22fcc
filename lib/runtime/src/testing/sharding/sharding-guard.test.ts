import { describe, expect, it } from 'vitest';
import { findShardingFaults } from './sharding-guard.ts';

const survey = { tenant_id: 't', survey_id: 's' };
const update = (q: object, multi = false) => ({
  commandName: 'update',
  command: { update: 'responses', updates: [{ q, u: {}, multi }] },
});
const remove = (q: object, limit: number) => ({
  commandName: 'delete',
  command: { delete: 'responses', deletes: [{ q, limit }] },
});
const find = (filter: object, more: object = {}) => ({
  commandName: 'find',
  command: { find: 'responses', filter, ...more },
});
const aggregate = (...pipeline: object[]) => ({
  commandName: 'aggregate',
  command: { aggregate: 'responses', pipeline },
});
const modify = (query: object) => ({ commandName: 'findAndModify', command: { findAndModify: 'responses', query } });
const makeIndex = (key: object) => ({
  commandName: 'createIndexes',
  command: { createIndexes: 'responses', indexes: [{ name: 'i', key, unique: true }] },
});

describe('a command that fits a sharded cluster', () => {
  it.each([
    ['an update of one document by its _id', update({ _id: 'r', revision: 1 })],
    ['an update of some by their _ids', update({ _id: { $in: ['r'] } }, true)],
    ['a delete by _id', remove({ $and: [{ _id: 'r' }, survey] }, 1)],
    ['a findAndModify by _id', modify({ _id: 'r' })],
    ['a list', find({ ...survey, created_at: 1 }, { limit: 5, sort: { created_at: -1 } })],
    ['a count', aggregate({ $match: { tenant_id: 't' } }, { $match: { survey_id: 's' } }, { $count: 'n' })],
    ['a relay that takes documents of any order', find({ 'outbox.at': 1 }, { limit: 5 })],
    ['a unique index that begins with the _id', makeIndex({ _id: 1, revision: 1 })],
    ['anything of another collection', { commandName: 'update', command: { update: 'tenants', updates: [{ q: {} }] } }],
  ])('is %s', (_case, command) => {
    expect(findShardingFaults(command)).toEqual([]);
  });
});

describe('a command that does not fit', () => {
  it.each([
    ['an update of one document', update(survey), 'update on responses: changes one document without its _id'],
    ['a delete of one document', remove(survey, 1), 'delete on responses: changes one document without its _id'],
    [
      'a findAndModify',
      modify({ _id: { $gt: 'r' } }),
      'findAndModify on responses: changes one document without its _id',
    ],
    ['an unknown read', find({ language: 'en' }), 'find on responses: asks all shards, by language'],
    ['an unknown aggregation', aggregate({ $group: {} }), 'aggregate on responses: asks all shards, by '],
    ['an unknown delete of many', remove({ language: 'en' }, 0), 'delete on responses: asks all shards, by language'],
    [
      'a read of the first without a sort',
      find(survey, { limit: 5, hint: 'newest_first' }),
      'find on responses: takes the first without a sort, by tenant_id, survey_id',
    ],
    ['a unique index', makeIndex({ external_id: 1 }), 'createIndexes on responses: unique index i'],
  ])('is %s', (_case, command, fault) => {
    expect(findShardingFaults(command)).toEqual([fault]);
  });
});
