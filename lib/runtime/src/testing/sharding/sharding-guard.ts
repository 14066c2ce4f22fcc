import type { Document } from 'mongodb';
import { broadcasts, shardedCollections } from './sharding-plan.ts';

/** A command, as reported by MongoDB's driver. */
export interface StartedCommand {
  readonly commandName: string;
  readonly command: Document;
}

/** Finds the reasons why a command does not fit a sharded cluster; empty if it fits. */
export function findShardingFaults({ commandName, command }: StartedCommand): readonly string[] {
  const collection = String(command[commandName]);
  if (!shardedCollections.has(collection)) return [];
  return findFaults(collection, commandName, command).map((fault) => `${commandName} on ${collection}: ${fault}`);
}

function findFaults(collection: string, name: string, command: Document): readonly string[] {
  switch (name) {
    case 'update':
      return command['updates'].flatMap(({ q, multi }: Document) => findWriteFaults(collection, q, multi === true));
    case 'delete':
      return command['deletes'].flatMap(({ q, limit }: Document) => findWriteFaults(collection, q, limit === 0));
    case 'findAndModify':
      return findWriteFaults(collection, command['query'], false);
    case 'find':
      return findReadFaults(collection, command['filter'] ?? {}, command);
    case 'distinct':
      return findReadFaults(collection, command['query'] ?? {});
    case 'aggregate':
      return findReadFaults(collection, { $and: firstMatches(command['pipeline']) });
    case 'createIndexes':
      return command['indexes'].filter(isUnenforceable).map(({ name: index }: Document) => `unique index ${index}`);
    default:
      return [];
  }
}

function findWriteFaults(collection: string, filter: Document, isMulti: boolean): readonly string[] {
  if (isMulti) return findReadFaults(collection, filter);
  return namesId(filter) ? [] : ['changes one document without its _id'];
}

/** @param find a `find` command, which may have a limit and a sort */
function findReadFaults(collection: string, filter: Document, find: Document = {}): readonly string[] {
  if (namesId(filter)) return [];
  const fields = fieldsOf(filter);
  const allowed = broadcasts.filter(
    ({ collections, requiredFields, optionalFields = [] }) =>
      collections.includes(collection) &&
      requiredFields.every((name) => fields.has(name)) &&
      [...fields].every((name) => requiredFields.includes(name) || optionalFields.includes(name)),
  );
  const named = [...fields].join(', ');
  if (allowed.length === 0) return [`asks all shards, by ${named}`];
  const takesFirst = find['limit'] !== undefined && find['sort'] === undefined;
  if (takesFirst && !allowed.some(({ anyOrder }) => anyOrder)) return [`takes the first without a sort, by ${named}`];
  return [];
}

/** The leading `$match` stages, which decide which documents an aggregation reads. */
function firstMatches(pipeline: readonly Document[]): readonly Document[] {
  const end = pipeline.findIndex((stage) => stage['$match'] === undefined);
  return pipeline.slice(0, end === -1 ? pipeline.length : end).map((stage) => stage['$match']);
}

/**
 * Whether an index demands uniqueness that shards cannot enforce: each shard checks only its own documents. The `_id`
 * determines the shard, so it is unique on all shards.
 */
function isUnenforceable({ unique, key }: Document): boolean {
  return unique === true && Object.keys(key)[0] !== '_id';
}

function namesId(filter: Document): boolean {
  const id: unknown = filter['_id'];
  if (id !== undefined && id !== null && (typeof id !== 'object' || '$eq' in id || '$in' in id)) return true;
  return innerOf(filter).some(namesId);
}

function fieldsOf(filter: Document): ReadonlySet<string> {
  const { $and: _, ...rest } = filter;
  return new Set([...Object.keys(rest), ...innerOf(filter).flatMap((one) => [...fieldsOf(one)])]);
}

function innerOf(filter: Document): readonly Document[] {
  return filter['$and'] ?? [];
}
