import type { Document } from 'mongodb';

// The checks of `tenantCollection`, which restricts a collection to the scope of one tenant. They reject queries that
// could leave this scope. Such a query is a bug of the calling code, so they throw a plain `Error`.

const TENANT_FIELD = 'tenant_id';

const LOGICAL = new Set(['$and', '$or', '$nor']);

/** Stages that read only their input. Stages that reach other collections are missing on purpose. */
const STAGES = new Set([
  '$addFields',
  '$bucket',
  '$bucketAuto',
  '$count',
  '$facet',
  '$group',
  '$limit',
  '$match',
  '$project',
  '$replaceRoot',
  '$replaceWith',
  '$sample',
  '$set',
  '$setWindowFields',
  '$skip',
  '$sort',
  '$sortByCount',
  '$unset',
  '$unwind',
]);

/** Update operators whose keys are paths of fields. */
const UPDATES = new Set([
  '$addToSet',
  '$bit',
  '$currentDate',
  '$inc',
  '$max',
  '$min',
  '$mul',
  '$pop',
  '$pull',
  '$pullAll',
  '$push',
  '$rename',
  '$set',
  '$setOnInsert',
  '$unset',
]);

/** Throws if a filter names the tenant, or uses an unknown operator. */
export function checkFilter(filter: Document): void {
  for (const [key, value] of Object.entries(filter)) {
    if (LOGICAL.has(key)) for (const part of value) checkFilter(part);
    else if (key === '$expr') checkExpression(value);
    else if (key.startsWith('$')) throw outOfScope(`the operator ${key} is not known to the tenant scope`);
    else checkPath(key);
  }
}

/** Throws if an update sets, moves or removes the tenant, or replaces the document. */
export function checkUpdate(update: Document | readonly Document[]): void {
  if (Array.isArray(update)) {
    for (const stage of update) checkUpdateStage(stage);
    return;
  }
  for (const [operator, fields] of Object.entries(update)) {
    if (!UPDATES.has(operator)) throw outOfScope(`the update operator ${operator} is not known to the tenant scope`);
    for (const [path, value] of Object.entries(fields ?? {})) {
      checkPath(path);
      if (operator === '$rename') checkPath(String(value));
    }
  }
}

/** Throws if an aggregation could read or write anything but its input. */
export function checkPipeline(pipeline: readonly Document[]): void {
  for (const stage of pipeline) {
    for (const [name, value] of Object.entries(stage)) {
      if (!STAGES.has(name)) throw outOfScope(`the stage ${name} is not known to the tenant scope`);
      if (name === '$match') checkFilter(value);
      if (name === '$facet') for (const inner of Object.values<Document[]>(value)) checkPipeline(inner);
    }
  }
}

export function checkNewDocument(document: object): void {
  if (Object.hasOwn(document, TENANT_FIELD)) throw outOfScope('a new document gets its tenant from the scope');
}

function checkUpdateStage(stage: Document): void {
  for (const [name, value] of Object.entries(stage)) {
    if (name === '$set' || name === '$addFields') for (const path of Object.keys(value)) checkPath(path);
    else if (name === '$unset') for (const path of [value].flat()) checkPath(String(path));
    else throw outOfScope(`the update stage ${name} is not known to the tenant scope`);
  }
}

function checkPath(path: string): void {
  if (path === TENANT_FIELD || path.startsWith(`${TENANT_FIELD}.`)) {
    throw outOfScope(`${TENANT_FIELD} is set by the tenant scope alone`);
  }
}

function checkExpression(value: unknown): void {
  if (typeof value === 'string') {
    // Matches "$tenant_id", "$$ROOT.tenant_id", and the plain name, which $getField accepts.
    if (value.split('.').some((part) => part.replace(/^\$+/, '') === TENANT_FIELD)) checkPath(TENANT_FIELD);
  } else if (Array.isArray(value)) {
    for (const item of value) checkExpression(item);
  } else if (isPlainObject(value)) {
    for (const item of Object.values(value)) checkExpression(item);
  }
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function outOfScope(problem: string): Error {
  return new Error(`Rejected by the tenant scope: ${problem}`);
}
