import type { ExpectedResponse, ExpectedSurvey, Violation } from './ledger.ts';
import type { Delivered } from './receiver.ts';

/** A response as the platform has it. */
export interface StoredResponse {
  readonly id: string;
  readonly surveyId: string;
  readonly status: string;
  readonly revision: number;
  readonly comment: string;
  /** The `Idempotency-Key` of the request that made it. */
  readonly key: string;
}

/** A survey with a limit, when everybody was told that it is full. */
export interface FilledSurvey {
  readonly surveyId: string;
  readonly limit: number;
}

type Responses = ReadonlyMap<string, ExpectedResponse>;
type Deliveries = ReadonlyMap<string, Delivered>;

/**
 * Acknowledged = stored: each once, at the revision and with the text that was acknowledged, and no other.
 *
 * @param limited ids of surveys with a limit. A process that dies with an entry in the ledger of such a survey leaves it
 * to the sweeper, which raises the revision of the response, so that a late write fails (ADR 0028)
 */
export function compareStored(
  expected: Responses,
  stored: readonly StoredResponse[],
  refusedKeys: ReadonlySet<string>,
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
  for (const { id, surveyId, key } of stored) {
    if (expected.has(id)) continue;
    const kind = refusedKeys.has(key) ? 'stored after it was refused' : 'stored and never acknowledged';
    violations.push({ kind, detail: `${id} of survey ${surveyId}, made by ${key}` });
  }
  return violations;
}

/**
 * Stored = delivered, to a webhook for these event types: each event at least once, the last one with the revision that
 * was acknowledged, and no event of a change that there was not.
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

/** The response at the stored revision, if the sweeper may have raised it. */
function withFences(response: ExpectedResponse, stored: number, limited: ReadonlySet<string>): ExpectedResponse {
  return limited.has(response.surveyId) && stored > response.revision ? { ...response, revision: stored } : response;
}

/** Revision of the last change of a response that has an event of one of these types. */
function lastRevision({ revision, corrections, isDeleted }: ExpectedResponse, types: readonly string[]): number {
  if (isDeleted && types.includes('response.deleted')) return revision + 1;
  return types.includes('response.updated') ? revision : revision - corrections;
}

/** No delivery tells of a response that nobody was told of, or that a limit refused. */
export function compareKnown(expected: Responses, delivered: Deliveries): readonly Violation[] {
  const ids = [...delivered.keys()].map((key) => key.split(' ')).filter(([type]) => type?.startsWith('response.'));
  const unknown = ids.filter(([, id = '']) => !expected.has(id));
  return unknown.map((words) => ({ kind: 'delivered and never acknowledged', detail: words.join(' ') }));
}

/** Limits are exact: a full survey has as many completed responses as it may have. */
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

/** The file of each stored response has its bytes, and that of a deleted one is gone. `found` has hashes by file id. */
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

/** Each acknowledged survey is there unless it was deleted, and its events were delivered. */
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

/** Every event has left its outbox. `waiting` has the number of documents with events, by collection. */
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
