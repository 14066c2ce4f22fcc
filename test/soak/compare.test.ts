import { describe, expect, it } from 'vitest';
import {
  compareDelivered,
  compareFiles,
  compareKnown,
  compareLimits,
  compareOutboxes,
  compareStored,
  compareSurveys,
  findUncertain,
  type StoredResponse,
} from './compare.ts';
import type { ExpectedResponse } from './ledger.ts';
import type { Delivered } from './receiver.ts';

const TYPES = ['response.submitted', 'response.updated', 'response.deleted'];

function expected(id: string, changes: Partial<ExpectedResponse> = {}): ExpectedResponse {
  return {
    id,
    surveyId: 's1',
    key: `key of ${id}`,
    createRequest: { path: '/', body: {}, headers: {} },
    status: 'completed',
    revision: 1,
    corrections: 0,
    comment: 'good',
    isDeleted: false,
    file: undefined,
    ...changes,
  };
}

const ledgerOf = (...responses: readonly ExpectedResponse[]) => new Map(responses.map((one) => [one.id, one]));

function stored(id: string, changes: Partial<StoredResponse> = {}): StoredResponse {
  const key = `key of ${id}`;
  return { id, surveyId: 's1', status: 'completed', revision: 1, comment: 'good', key, ...changes };
}

/** The ids of deliveries by event and record. */
const deliveredOf = (
  entries: Readonly<Record<string, readonly string[]>>,
  revisions: Readonly<Record<string, number>> = {},
) =>
  new Map<string, Delivered>(
    Object.entries(entries).map(([key, ids]) => [key, { deliveryIds: new Set(ids), revision: revisions[key] ?? 1 }]),
  );

const kindsOf = (violations: readonly { readonly kind: string }[]) => violations.map(({ kind }) => kind);

const none = new Set<string>();
const noRejections = new Map();

describe('stored responses', () => {
  const deleted = expected('r2', { isDeleted: true });

  it('are the acknowledged ones', () => {
    expect(compareStored(ledgerOf(expected('r1'), deleted), [stored('r1')], noRejections, none)).toEqual([]);
  });

  it.each([
    ['a response that is lost', [], 'lost response'],
    ['one that is listed twice', [stored('r1'), stored('r1')], 'listed twice'],
    ['one that came back', [stored('r1'), stored('r2')], 'deleted response is back'],
    ['an older revision', [stored('r1', { revision: 0 })], 'other response than acknowledged'],
    ['a later revision', [stored('r1', { revision: 2 })], 'other response than acknowledged'],
    ['another text', [stored('r1', { comment: 'old' })], 'other response than acknowledged'],
    ['another state', [stored('r1', { status: 'in_progress' })], 'other response than acknowledged'],
    ['a double under another id', [stored('r1'), stored('r3')], 'stored and never acknowledged'],
  ])('is not %s', (_, found, kind) => {
    expect(kindsOf(compareStored(ledgerOf(expected('r1'), deleted), found, noRejections, none))).toEqual([kind]);
  });

  it('can have a later revision in a survey with a limit, but no earlier one', () => {
    const limited = new Set([expected('r1').surveyId]);
    const ledger = ledgerOf(expected('r1', { revision: 2 }));
    expect(compareStored(ledger, [stored('r1', { revision: 3 })], noRejections, limited)).toEqual([]);
    expect(kindsOf(compareStored(ledger, [stored('r1', { revision: 1 })], noRejections, limited))).toHaveLength(1);
    const other = compareStored(ledger, [stored('r1', { revision: 3, comment: 'old' })], noRejections, limited);
    expect(kindsOf(other)).toEqual(['other response than acknowledged']);
  });

  it('do not include rejected ones', () => {
    const compare = (isFinal: boolean) =>
      kindsOf(compareStored(ledgerOf(), [stored('r3')], new Map([['key of r3', { isFinal }]]), none));
    expect(compare(true)).toEqual(['stored after it was rejected']);
    // Another attempt of the same request may have been carried out.
    expect(compare(false)).toEqual([]);
  });
});

describe('deliveries', () => {
  const ledger = ledgerOf(
    expected('r1', { corrections: 2, revision: 3 }),
    expected('r2', { isDeleted: true }),
    expected('r3', { status: 'in_progress' }),
  );
  const all = {
    'response.submitted r1': ['d1'],
    'response.updated r1': ['d2', 'd3'],
    'response.submitted r2': ['d4'],
    'response.deleted r2': ['d5'],
  };
  const revisions = { 'response.updated r1': 3, 'response.deleted r2': 2 };

  it('are one event per change', () => {
    expect(compareDelivered(ledger, deliveredOf(all, revisions), TYPES, none)).toEqual([]);
  });

  it.each(Object.keys(all))('must include %s', (key) => {
    const { [key as keyof typeof all]: _, ...rest } = all;
    expect(kindsOf(compareDelivered(ledger, deliveredOf(rest, revisions), TYPES, none))).toContain('missing delivery');
  });

  it('must include the last of several corrections', () => {
    const fewer = deliveredOf({ ...all, 'response.updated r1': ['d2'] }, revisions);
    expect(kindsOf(compareDelivered(ledger, fewer, TYPES, none))).toEqual(['missing delivery']);
  });

  it.each(['response.updated r2', 'response.deleted r1', 'response.submitted r9'])('must not include %s', (key) => {
    const more = deliveredOf({ ...all, [key]: ['d6'] }, revisions);
    const withBegun = new Map([...ledger, ['r9', expected('r9', { status: 'in_progress' })]]);
    expect(kindsOf(compareDelivered(withBegun, more, TYPES, none))).toEqual(['event of no change']);
  });

  it.each([
    ['response.updated r1', 2],
    ['response.deleted r2', 1],
  ])('ends with the revision that was acknowledged: %s', (key, revision) => {
    const other = deliveredOf(all, { ...revisions, [key]: revision });
    expect(kindsOf(compareDelivered(ledger, other, TYPES, none))).toEqual(['other revision delivered']);
  });

  it('can end with a later revision in a survey with a limit', () => {
    const limited = new Set([expected('r1').surveyId]);
    const later = deliveredOf(all, { ...revisions, 'response.deleted r2': 3 });
    expect(compareDelivered(ledger, later, TYPES, limited)).toEqual([]);
    const earlier = deliveredOf(all, { ...revisions, 'response.deleted r2': 1 });
    expect(kindsOf(compareDelivered(ledger, earlier, TYPES, limited))).toEqual(['other revision delivered']);
  });

  it('have only the event types of the webhook', () => {
    const types = ['response.submitted', 'response.deleted'];
    const { 'response.updated r1': _, ...some } = all;
    expect(compareDelivered(ledger, deliveredOf(some, revisions), types, none)).toEqual([]);
  });

  it('must not contain unknown responses', () => {
    const delivered = deliveredOf({ ...all, 'response.submitted r9': ['d9'] });
    const violations = compareKnown(ledger, delivered, none);
    expect(violations).toEqual([{ kind: 'delivered and never acknowledged', detail: 'response.submitted r9' }]);
    const uncertainIf = (isFinal: boolean) => findUncertain([stored('r9')], new Map([['key of r9', { isFinal }]]));
    expect(compareKnown(ledger, delivered, uncertainIf(false))).toEqual([]);
    expect(compareKnown(ledger, delivered, uncertainIf(true))).toEqual(violations);
  });
});

describe('a limit', () => {
  const surveys = [{ surveyId: 's1', limit: 2 }];
  const begun = stored('r9', { status: 'in_progress' });

  it('is exact', () => {
    const others = [begun, stored('r8', { surveyId: 's2' })];
    expect(compareLimits(surveys, [stored('r1'), stored('r2'), ...others])).toEqual([]);
  });

  it.each([
    ['limit exceeded', [stored('r1'), stored('r2'), stored('r3')]],
    ['seat lost', [stored('r1'), begun]],
  ])('finds: %s', (kind, found) => {
    expect(kindsOf(compareLimits(surveys, found))).toEqual([kind]);
  });
});

describe('files', () => {
  const ledger = ledgerOf(
    expected('r1', { file: { id: 'f1', sha256: 'aa' } }),
    expected('r2', { file: { id: 'f2', sha256: 'bb' }, isDeleted: true }),
  );

  it.each([
    [[], { f1: 'aa' }],
    [['lost file'], {}],
    [['other bytes'], { f1: 'ab' }],
    [['deleted file is back'], { f1: 'aa', f2: 'bb' }],
  ])('finds: %j', (kinds, found) => {
    expect(kindsOf(compareFiles(ledger, new Map(Object.entries(found))))).toEqual(kinds);
  });
});

describe('surveys', () => {
  const ledger = new Map([
    ['s1', { id: 's1', isDeleted: false }],
    ['s2', { id: 's2', isDeleted: true }],
  ]);
  const events = {
    'survey.created s1': ['d1'],
    'survey.published s1': ['d2'],
    'survey.created s2': ['d3'],
    'survey.published s2': ['d4'],
    'survey.deleted s2': ['d5'],
  };

  it.each([
    [[], ['s1']],
    [['lost survey'], []],
    [['deleted survey is back'], ['s1', 's2']],
  ])('finds: %j', (kinds, found) => {
    expect(kindsOf(compareSurveys(ledger, new Set(found), deliveredOf(events)))).toEqual(kinds);
  });

  it.each(Object.keys(events))('must have the delivery %s', (key) => {
    const { [key as keyof typeof events]: _, ...rest } = events;
    expect(kindsOf(compareSurveys(ledger, new Set(['s1']), deliveredOf(rest)))).toEqual(['missing delivery']);
  });
});

describe('outboxes', () => {
  it('are empty', () => {
    expect(compareOutboxes(new Map([['survey-response.responses', 0]]))).toEqual([]);
  });

  it('must be empty', () => {
    const waiting = new Map([['survey-response.responses', 3]]);
    expect(kindsOf(compareOutboxes(waiting))).toEqual(['left in the outbox']);
  });
});
