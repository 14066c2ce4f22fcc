import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import { openSettings, testDefinition } from '../testing/test-definition.ts';
import { checkOpen, etagOf, isOpen, languagesOf, publicDefinitionOf, type Snapshot } from './definition.ts';

function newSnapshot(given: Partial<Snapshot> = {}): Snapshot {
  return {
    surveyId: 's',
    tenantId: toTenantId('t'),
    status: 'active',
    settings: openSettings,
    schemaVersion: '1.0',
    version: 1,
    wasPublished: true,
    definition: testDefinition,
    ...given,
  };
}

describe('checkOpen', () => {
  const at = (iso: string) => new Date(`2030-01-01T${iso}Z`);
  const settings = { ...openSettings, opensAt: at('10:00:00.000'), closesAt: at('12:00:00.000') };

  it.each([
    ['09:59:59.999', 'SURVEY_NOT_OPEN_YET'],
    ['10:00:00.000', undefined],
    ['11:59:59.999', undefined],
    ['12:00:00.000', 'SURVEY_CLOSED'],
  ])('applies the times of the settings exactly to the millisecond: %s is %s', (time, code) => {
    const survey = newSnapshot({ settings });
    expect(isOpen(survey, at(time))).toBe(code === undefined);
    const check = () => checkOpen(survey, at(time));
    if (code === undefined) check();
    else expect(check).toThrow(expect.objectContaining({ code }));
  });

  it.each([
    ['draft', 'SURVEY_NOT_OPEN_YET'],
    ['closed', 'SURVEY_CLOSED'],
  ] as const)('rejects a survey that is %s at any time', (status, code) => {
    const survey = newSnapshot({ status, settings });
    for (const time of ['09:00:00', '11:00:00', '13:00:00'])
      expect(() => checkOpen(survey, at(time))).toThrow(expect.objectContaining({ code }));
  });
});

describe('languagesOf', () => {
  const definition = { supported_languages: ['en', 'de', 'fr'] };

  it.each([
    [[], ['en', 'de', 'fr']],
    [
      ['fr', 'en'],
      ['en', 'fr'],
    ],
    [['it'], ['en', 'de', 'fr']],
    [['it', 'de'], ['de']],
  ])('narrows the declared languages to %j, in their order: %j', (languages, expected) => {
    expect(languagesOf({ definition, settings: { ...openSettings, languages } })).toEqual(expected);
  });
});

describe('etagOf', () => {
  it('differs by version, language, survey and saved answers, and is the same in every process', () => {
    const snapshots = [
      newSnapshot(),
      newSnapshot({ version: 2 }),
      newSnapshot({ surveyId: 'other' }),
      newSnapshot({ settings: { ...openSettings, languages: ['de'] } }),
    ];
    const tags = snapshots.map((snapshot) => etagOf(snapshot));
    const answered = [1, 2].map((revision) => etagOf(newSnapshot(), undefined, { id: 'r', revision }));
    expect(new Set([...tags, ...answered, etagOf(newSnapshot(), 'lunch')]).size).toBe(7);
    expect(etagOf(newSnapshot({ status: 'closed' }))).toBe(etagOf(newSnapshot()));
    expect(etagOf(newSnapshot())).toMatch(/^W\/"[\w-]{43}"$/);
  });
});

describe('publicDefinitionOf', () => {
  it('removes the source data of an import at all levels, and nothing else', () => {
    const question = { id: 'q', type: 'text', title: 'source_data', custom: { a: [1, null] } };
    const definition = {
      title: 'T',
      source_data: { secret: 1 },
      pages: [{ questions: [{ ...question, source_data: { column: 'private' } }], source_data: {} }],
    };
    expect(publicDefinitionOf(newSnapshot({ definition }))).toEqual({ title: 'T', pages: [{ questions: [question] }] });
  });
});
