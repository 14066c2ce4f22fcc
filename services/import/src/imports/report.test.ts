import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import { endEvents } from './import-events.ts';
import { toReport } from './report.ts';

const started = {
  id: '0198c0de-0000-7000-8000-000000000001',
  tenantId: toTenantId('t'),
  surveyId: 's',
  source: 'custom',
  format: 'json',
  startedAt: new Date(0),
  startedBy: 'u',
};

describe('toReport', () => {
  it('counts what became of the responses and lists those that failed', () => {
    const report = toReport(started, {
      failure: undefined,
      questions: 2,
      warnings: [],
      outcomes: [
        { index: 0, id: 'a', outcome: 'imported' },
        { index: 1, id: 'b', outcome: 'failed', code: 'X', detail: 'x' },
        { index: 2, id: 'c', outcome: 'skipped' },
      ],
    });
    expect(report).toMatchObject({ total: 3, imported: 1, skipped: 1, failed: 1, questions: 2 });
    expect(report.errors).toEqual([{ index: 1, id: 'b', code: 'X', detail: 'x' }]);
  });

  const stored = { index: 0, id: 'a', outcome: 'skipped' } as const;
  const refused = { index: 1, id: 'b', outcome: 'failed', code: 'X', detail: 'x' } as const;
  const failure = { code: 'UNAVAILABLE', detail: 'away' };

  it.each([
    ['completed', 'nothing was to be stored', [], undefined],
    ['completed', 'some of it is stored', [stored, refused], undefined],
    ['completed', 'it ended early with some of it stored', [stored, refused], failure],
    ['failed', 'none of the responses is stored', [refused], undefined],
    ['failed', 'it ended early with nothing stored', [], failure],
  ] as const)('is %s when %s', (status, _, outcomes, ended) => {
    const report = toReport(started, { questions: 0, warnings: [], outcomes, failure: ended });
    expect(report.status).toBe(status);
    expect(report.warnings).toEqual(ended === undefined ? [] : [{ path: '', ...failure }]);
  });

  it('stays small enough for an event, whatever the file is like', () => {
    const huge = '€'.repeat(10_000);
    const outcomes = Array.from({ length: 1_000 }, (_, index) => ({
      index,
      id: huge,
      outcome: 'failed' as const,
      code: 'INVALID_ANSWERS',
      detail: huge,
    }));
    const warnings = Array.from({ length: 1_000 }, () => ({ path: huge, code: 'NOT_IMPORTED', detail: huge }));
    const report = toReport(started, { failure: undefined, questions: 0, warnings, outcomes });
    expect([report.errors.length, report.warnings.length, report.failed]).toEqual([100, 100, 1_000]);
    expect(report.warnings.at(-1)).toMatchObject({ code: 'MORE_WARNINGS', detail: 'and 901 more' });
    const events = endEvents(started, report, { time: new Date(0), requestId: '', traceparent: '' });
    expect(events.map(({ type }) => type)).toEqual(['import.failed', 'audit.import.failed']);
  });

  it('cuts no character in half', () => {
    const outcomes = [{ index: 0, id: `${'x'.repeat(254)}😀y`, outcome: 'failed' as const, code: 'X', detail: '' }];
    const report = toReport(started, { failure: undefined, questions: 0, warnings: [], outcomes });
    expect(report.errors[0]?.id.isWellFormed()).toBe(true);
  });
});
