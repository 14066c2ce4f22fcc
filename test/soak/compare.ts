import type { ExpectedResponse, ExpectedSurvey, Ledger, Violation } from './ledger.ts';
import type { Delivered } from './receiver.ts';

/** A stored response. */
export interface StoredResponse {
  readonly id: string;
  readonly surveyId: string;
  readonly status: string;
  readonly revision: number;
  readonly comment: string;
  /** The `Idempotency-Key` of the request that created it. */
  readonly key: string;
}

/** A survey whose limit was reached. */
export interface FilledSurvey {
  readonly surveyId: string;
  readonly limit: number;
}

type Responses = ReadonlyMap<string, ExpectedResponse>;
type Deliveries = ReadonlyMap<string, Delivered>;

/**
 * Checks that exactly the acknowledged responses are stored, once each, with the acknowledged revision and text.
 *
 * @param limited ids of surveys with a limit. There, the sweeper can raise the revision of a response whose process
 * died, to fence late writes (ADR 0028)
 */
export function compareStored(
  expected: Responses,
  stored: readonly StoredResponse[],
  rejectedKeys: Ledger['rejectedKeys'],
  limited: ReadonlySet<string>,
): readonly Violation[] {
  const violations: Violation[] = [];
  const byId = new Map(stored.map((response) => [response.id, response]));
  if (byId.size < stored.length) {
    violations.push({ kind: 'listed twice', detail: `${stored.length - byId.size} responses` });
  }
  for (const response of expected.values()) {
    const found = byId.get(response.id);
    if (response.isDeleted) {
      if (found !== undefined) violations.push({ kind: 'deleted response is back', detail: describe(response) });
    } else if (found === undefined) {
      violations.push({ kind: 'lost response', detail: describe(response) });
    } else if (toState(withFences(response, found.revision, limited)) !== toState(found)) {
      const detail = `${response.id}: stored ${toState(found)}, acknowledged ${toState(response)}`;
      violations.push({ kind: 'other response than acknowledged', detail });
    }
  }
  const uncertain = findUncertain(stored, rejectedKeys);
  for (const { id, surveyId, key } of stored) {
    if (expected.has(id) || uncertain.has(id)) continue;
    const kind = rejectedKeys.has(key) ? 'stored after it was rejected' : 'stored and never acknowledged';
    violations.push({ kind, detail: `${id} of survey ${surveyId}, made by ${key}` });
  }
  return violations;
}

/**
 * Checks the deliveries to a webhook with these event types: each event at least once, the last one with the
 * acknowledged revision, and no other events.
 *
 * @param limited as for `compareStored`
 */
export function compareDelivered(
  expected: Responses,
  delivered: Deliveries,
  types: readonly string[],
  limited: ReadonlySet<string>,
): readonly Violation[] {
  const violations: Violation[] = [];
  for (const response of expected.values()) {
    const { id, status, corrections, isDeleted } = response;
    const counts = new Map([
      ['response.submitted', status === 'completed' ? 1 : 0],
      ['response.updated', corrections],
      ['response.deleted', isDeleted ? 1 : 0],
    ]);
    for (const type of types) {
      const wanted = counts.get(type) ?? 0;
      const came = delivered.get(`${type} ${id}`)?.deliveryIds.size ?? 0;
      if (came < wanted) violations.push({ kind: 'missing delivery', detail: `${type} ${id}: ${came} of ${wanted}` });
      if (came > wanted)
        violations.push({ kind: 'event of no change', detail: `${type} ${id}: ${came} for ${wanted}` });
    }
    const came = types.flatMap((type) => delivered.get(`${type} ${id}`)?.revision ?? []);
    const last = lastRevision(response, types);
    const isRight = (revision: number) => revision === last || (limited.has(response.surveyId) && revision > last);
    if (came.length > 0 && !isRight(Math.max(...came)))
      violations.push({
        kind: 'other revision delivered',
        detail: `${id}: ${Math.max(...came)}, acknowledged ${last}`,
      });
  }
  return violations;
}

/** The response with the stored revision, if the sweeper can have raised it. */
function withFences(response: ExpectedResponse, stored: number, limited: ReadonlySet<string>): ExpectedResponse {
  return limited.has(response.surveyId) && stored > response.revision ? { ...response, revision: stored } : response;
}

/** The revision of the last change with an event of one of these types. */
function lastRevision({ revision, corrections, isDeleted }: ExpectedResponse, types: readonly string[]): number {
  if (isDeleted && types.includes('response.deleted')) return revision + 1;
  return types.includes('response.updated') ? revision : revision - corrections;
}

/** Ids of stored responses whose client was rejected in one attempt, and got no reply to another one. */
export function findUncertain(
  stored: readonly StoredResponse[],
  rejectedKeys: Ledger['rejectedKeys'],
): ReadonlySet<string> {
  return new Set(stored.flatMap(({ id, key }) => (rejectedKeys.get(key)?.isFinal === false ? [id] : [])));
}

/** Checks that no delivery contains an unacknowledged or rejected response, except uncertain ones. */
export function compareKnown(
  expected: Responses,
  delivered: Deliveries,
  uncertain: ReadonlySet<string>,
): readonly Violation[] {
  const ids = [...delivered.keys()].map((key) => key.split(' ')).filter(([type]) => type?.startsWith('response.'));
  const unknown = ids.filter(([, id = '']) => !expected.has(id) && !uncertain.has(id));
  return unknown.map((words) => ({ kind: 'delivered and never acknowledged', detail: words.join(' ') }));
}

/** Checks limits: a full survey has exactly as many completed responses as its limit. */
export function compareLimits(
  surveys: readonly FilledSurvey[],
  stored: readonly StoredResponse[],
): readonly Violation[] {
  const completed = Map.groupBy(
    stored.filter(({ status }) => status === 'completed'),
    ({ surveyId }) => surveyId,
  );
  return surveys.flatMap(({ surveyId, limit }) => {
    const count = completed.get(surveyId)?.length ?? 0;
    if (count === limit) return [];
    const kind = count > limit ? 'limit exceeded' : 'seat lost';
    return [{ kind, detail: `survey ${surveyId}: ${count} completed responses, the limit is ${limit}` }];
  });
}

/**
 * Checks that files of stored responses are unchanged and those of deleted responses are gone. `found` has hashes by
 * file id.
 */
export function compareFiles(expected: Responses, found: ReadonlyMap<string, string>): readonly Violation[] {
  return [...expected.values()].flatMap(({ id, file, isDeleted }) => {
    if (file === undefined) return [];
    const hash = found.get(file.id);
    const detail = `file ${file.id} of response ${id}`;
    if (isDeleted) return hash === undefined ? [] : [{ kind: 'deleted file is back', detail }];
    if (hash === undefined) return [{ kind: 'lost file', detail }];
    return hash === file.sha256 ? [] : [{ kind: 'other bytes', detail }];
  });
}

/** Checks that each acknowledged survey exists unless deleted, and that its events were delivered. */
export function compareSurveys(
  expected: ReadonlyMap<string, ExpectedSurvey>,
  storedIds: ReadonlySet<string>,
  delivered: Deliveries,
): readonly Violation[] {
  const violations: Violation[] = [];
  for (const { id, isDeleted } of expected.values()) {
    if (isDeleted && storedIds.has(id)) violations.push({ kind: 'deleted survey is back', detail: id });
    if (!isDeleted && !storedIds.has(id)) violations.push({ kind: 'lost survey', detail: id });
    for (const type of ['survey.created', 'survey.published', ...(isDeleted ? ['survey.deleted'] : [])])
      if (!delivered.has(`${type} ${id}`)) violations.push({ kind: 'missing delivery', detail: `${type} ${id}` });
  }
  return violations;
}

/** Checks that all outboxes are empty. `waiting` has the number of documents with events by collection. */
export function compareOutboxes(waiting: ReadonlyMap<string, number>): readonly Violation[] {
  return [...waiting]
    .filter(([, count]) => count > 0)
    .map(([collection, count]) => ({ kind: 'left in the outbox', detail: `${collection}: ${count} documents` }));
}

function toState({ status, revision, comment, surveyId }: StoredResponse | ExpectedResponse): string {
  return `${status} at revision ${revision} of survey ${surveyId}, "${comment}"`;
}

function describe(response: ExpectedResponse): string {
  return `${response.id}: ${toState(response)}, made by ${response.key}`;
}
