import { ObjectId } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { checkFilter, checkNewDocument, checkPipeline, checkUpdate } from './tenant-guard.ts';

const REJECTED = /Rejected by the tenant scope/;

describe('checkFilter', () => {
  it.each([
    [{ tenant_id: 'b' }],
    [{ 'tenant_id.x': 'b' }],
    [{ tenant_id: { $ne: 'a' } }],
    [{ $or: [{ status: 'x' }, { tenant_id: 'b' }] }],
    [{ $and: [{ $nor: [{ tenant_id: 'a' }] }] }],
    [{ $expr: { $eq: ['$tenant_id', 'b'] } }],
    [{ $expr: { $or: [{ $eq: ['$$ROOT.tenant_id', 'b'] }] } }],
    [{ $expr: { $eq: [{ $getField: 'tenant_id' }, 'b'] } }],
    [{ $expr: { $let: { vars: { t: '$$CURRENT.tenant_id' }, in: '$$t' } } }],
    [{ $where: 'true' }],
    [{ $jsonSchema: {} }],
    [{ $text: { $search: 'x' } }],
  ])('rejects %j', (filter) => {
    expect(() => checkFilter(filter)).toThrow(REJECTED);
  });

  it.each([
    [{}],
    [{ _id: 'x', status: { $in: ['a', 'b'] } }],
    [{ $and: [{ a: 1 }, { $or: [{ b: { $gt: new Date() } }, { c: null }] }] }],
    [{ $expr: { $gt: ['$spent', '$budget'] } }],
    [{ note: 'tenant_id' }],
    [{ my_tenant_id: 'x' }],
    [{ 'owner.tenant_id': 'x', id: new ObjectId() }],
  ])('accepts %j', (filter) => {
    expect(() => checkFilter(filter)).not.toThrow();
  });
});

describe('checkUpdate', () => {
  it.each([
    [{ $set: { tenant_id: 'b' } }],
    [{ $set: { 'tenant_id.x': 'b' } }],
    [{ $setOnInsert: { tenant_id: 'b' } }],
    [{ $unset: { tenant_id: '' } }],
    [{ $rename: { tenant_id: 'old' } }],
    [{ $rename: { other: 'tenant_id' } }],
    [{ $currentDate: { tenant_id: true } }],
    [{ $max: { a: 1, tenant_id: 'z' } }],
    [{ name: 'a replacement' }],
    [{ $unknown: { a: 1 } }],
    [[{ $set: { tenant_id: 'b' } }]],
    [[{ $addFields: { a: 1, tenant_id: 'b' } }]],
    [[{ $unset: 'tenant_id' }]],
    [[{ $unset: ['a', 'tenant_id'] }]],
    [[{ $replaceWith: { a: 1 } }]],
    [[{ $replaceRoot: { newRoot: '$a' } }]],
    [[{ $project: { a: 1 } }]],
  ])('rejects %j', (update) => {
    expect(() => checkUpdate(update)).toThrow(REJECTED);
  });

  it.each([
    [{ $set: { title: 'tenant_id' }, $inc: { revision: 1 }, $push: { outbox: { id: 'e' } } }],
    // Values are not checked: they are content of users.
    [{ $set: { definition: { tenant_id: 'mine', nested: [{ tenant_id: 1 }] } } }],
    [{ $pull: { outbox: { id: { $in: ['e'] } } } }],
    [[{ $set: { a: { $add: ['$a', 1] } } }, { $unset: ['b'] }]],
  ])('accepts %j', (update) => {
    expect(() => checkUpdate(update)).not.toThrow();
  });
});

describe('checkPipeline', () => {
  it.each([
    [[{ $lookup: { from: 'x', as: 'y', pipeline: [] } }]],
    [[{ $match: {} }, { $unionWith: 'x' }]],
    [[{ $graphLookup: { from: 'x' } }]],
    [[{ $out: 'x' }]],
    [[{ $merge: { into: 'x' } }]],
    [[{ $match: { tenant_id: 'b' } }]],
    [[{ $facet: { a: [{ $lookup: { from: 'x' } }] } }]],
    [[{ $documents: [] }]],
    [[{ $collStats: {} }]],
    [[{ $geoNear: {} }]],
  ])('rejects %j', (pipeline) => {
    expect(() => checkPipeline(pipeline)).toThrow(REJECTED);
  });

  it('accepts stages that read only their input', () => {
    const inner = [{ $count: 'n' }];
    const pipeline = [{ $match: { a: 1 } }, { $group: { _id: '$a', n: { $sum: 1 } } }, { $facet: { inner } }];
    expect(() => checkPipeline(pipeline)).not.toThrow();
  });
});

describe('checkNewDocument', () => {
  it('rejects a document with a tenant', () => {
    expect(() => checkNewDocument({ _id: 'x', tenant_id: 'a' })).toThrow(REJECTED);
  });
});
