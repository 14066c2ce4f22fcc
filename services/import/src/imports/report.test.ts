import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import { type Import, NO_PROGRESS } from './import.ts';
import { endEvents } from './import-events.ts';
import { createOmissions, type ReportContents, shortenError, toReport } from './report.ts';

const item: Import = {
  id: '0198c0de-0000-7000-8000-000000000001',
  tenantId: toTenantId('t'),
  surveyId: 's',
  source: 'custom',
  format: 'json',
  dryRun: false,
  status: 'running',
  actor: 'u',
  requestId: '',
  traceparent: '',
  createdAt: new Date(0),
  finishedAt: undefined,
  size: 0,
  progress: NO_PROGRESS,
  questions: 0,
  report: undefined,
  deaths: 0,
  failingSince: undefined,
  cancelledBy: undefined,
  job: undefined,
};
const contents: ReportContents = {
  questions: 2,
  progress: NO_PROGRESS,
  warnings: [],
  moreWarnings: 0,
  errors: [],
  omissions: [],
  ending: { kind: 'read', failure: undefined },
};
const counts = (imported: number, failed: number) => ({ ...NO_PROGRESS, rows: imported + failed, imported, failed });

describe('toReport', () => {
  it('counts responses by outcome and lists errors', () => {
    const errors = [{ index: 1, id: 'b', code: 'X', detail: 'x', row: 3, column: 'q' }];
    const progress = { ...NO_PROGRESS, rows: 5, imported: 2, importedInPart: 1, skipped: 1, failed: 1, leftOut: 1 };
    const report = toReport(item, { ...contents, progress, errors });
    expect(report).toMatchObject({ total: 5, imported: 2, skipped: 1, failed: 1, questions: 2, errors });
    expect(report).toMatchObject({ importedInPart: 1, leftOut: 1 });
  });

  const failure = { code: 'UNAVAILABLE', detail: 'away', errors: [] };

  it.each([
    ['completed', 'nothing was to be stored', counts(0, 0), { kind: 'read', failure: undefined }],
    ['completed', 'some of it is stored', counts(1, 1), { kind: 'read', failure: undefined }],
    ['completed', 'all is left out', { ...NO_PROGRESS, rows: 2, leftOut: 2 }, { kind: 'read', failure: undefined }],
    ['failed', 'the rest is left out', { ...counts(0, 1), rows: 2, leftOut: 1 }, { kind: 'read', failure: undefined }],
    ['completed', 'some of it is stored, and a service is away then', counts(1, 1), { kind: 'read', failure }],
    ['failed', 'none of the responses is stored', counts(0, 1), { kind: 'read', failure: undefined }],
    ['failed', 'the survey cannot be stored', counts(0, 0), { kind: 'read', failure }],
    ['failed', 'the file breaks off, whatever is stored', counts(1, 0), { kind: 'broken', failure }],
    ['cancelled', 'it was cancelled', counts(1, 0), { kind: 'cancelled', failure: undefined }],
  ] as const)('is %s when %s', (status, _, progress, ending) => {
    const report = toReport(item, { ...contents, progress, ending });
    expect(report.status).toBe(status);
    const expected = { path: '', code: failure.code, detail: failure.detail };
    expect(report.warnings).toEqual(ending.failure === undefined ? [] : [expected]);
  });

  it('reports locations of errors in the file', () => {
    const problem = { path: '/data/responses/3', code: 'BAD_JSON', detail: 'it is no JSON' };
    const ending = { kind: 'broken', failure: { code: 'INVALID_IMPORT', detail: 'x', errors: [problem] } } as const;
    expect(toReport(item, { ...contents, ending }).warnings).toEqual([
      { path: '', code: 'INVALID_IMPORT', detail: 'x' },
      problem,
    ]);
  });

  // In JSON, `€` has three bytes, and `\u0001` has six.
  it.each(['€', '\u0001'])('is small enough for an event for any file, such as of %j', (character) => {
    const huge = character.repeat(10_000);
    const errors = Array.from({ length: 1_000 }, (_, index) =>
      shortenError({ index, id: huge, code: 'INVALID_ANSWERS', detail: huge, row: index, column: huge }),
    );
    const warnings = Array.from({ length: 100 }, () => ({ path: huge, code: 'NOT_IMPORTED', detail: huge }));
    const progress = counts(0, 1_000);
    const actions = ['kept', 'dropped', 'missing'] as const;
    const omissions = createOmissions();
    for (let index = 0; index < 10_000; index += 1) {
      const one = {
        column: `${index % 1_000}${huge}`,
        code: 'UNKNOWN_COLUMN',
        detail: huge,
        action: actions[index % actions.length] ?? 'kept',
      };
      omissions.add({ index, row: index }, [one]);
    }
    const found = { errors, omissions: omissions.list() };
    const report = toReport(item, { ...contents, progress, warnings, moreWarnings: 900, ...found });
    expect(report.omissions).toHaveLength(100);
    expect(report.omissions.slice(-3)).toMatchObject(actions.map((action) => ({ code: 'MORE_OMISSIONS', action })));
    expect(report.omissions.reduce((sum, { count }) => sum + count, 0)).toBe(10_000);
    expect(report.errors.length).toBeGreaterThan(30);
    expect(report.warnings.length).toBeGreaterThan(40);
    expect(report.failed).toBe(1_000);
    const hidden = 1_001 - report.warnings.length;
    expect(report.warnings.at(-1)).toMatchObject({ code: 'MORE_WARNINGS', detail: `and ${hidden} more` });
    const events = endEvents(item, report, new Date(0));
    expect(events.map(({ type }) => type)).toEqual(['import.failed', 'audit.import.failed']);
  });

  it('lists a hundred usual errors', () => {
    const detail = 'x'.repeat(500);
    const errors = Array.from({ length: 200 }, (_, index) => ({ index, id: 'id', code: 'X', detail, column: 'q' }));
    expect(toReport(item, { ...contents, errors }).errors).toEqual(errors.slice(0, 100));
  });

  it('does not split surrogate pairs', () => {
    const error = shortenError({ index: 0, id: `${'x'.repeat(254)}😀y`, code: 'X', detail: '' });
    expect(error.id.isWellFormed()).toBe(true);
  });
});

describe('the end of an import', () => {
  it('sends an event of failure for a cancelled one, and reports the cancellation to the audit', () => {
    const report = toReport(item, { ...contents, ending: { kind: 'cancelled', failure: undefined } });
    expect(endEvents(item, report, new Date(0)).map(({ type }) => type)).toEqual([
      'import.failed',
      'audit.import.cancelled',
    ]);
  });

  it('sends no events for a dry run', () => {
    expect(endEvents({ ...item, dryRun: true }, toReport(item, contents), new Date(0))).toEqual([]);
  });
});
