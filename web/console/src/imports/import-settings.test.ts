import { expect, it } from 'vitest';
import guide from '../../../../docs/import.md?raw';
import {
  allowedTargets,
  DEFAULT_SETTINGS,
  SOURCE_NAMES,
  SOURCES,
  sourceLabel,
  toResponsesQuery,
  toSurveyQuery,
} from './import-settings.ts';

it('sends the settings of a survey, without empty ones', () => {
  expect(toSurveyQuery({ ...DEFAULT_SETTINGS, title: ' Lunch ', preserveIds: false }, true)).toEqual({
    source: 'custom',
    format: 'csv',
    title: 'Lunch',
    preserve_ids: false,
    validate_logic: true,
    import_responses: true,
    emit_events: true,
    dry_run: true,
  });
});

it('sends unmask only for CSV, and only if it is chosen', () => {
  const base = { source: 'custom', format: 'csv', emit_events: true, dry_run: false };
  expect(toResponsesQuery(DEFAULT_SETTINGS, false)).toEqual(base);
  expect(toResponsesQuery({ ...DEFAULT_SETTINGS, unmask: 'no' }, false)).toEqual({ ...base, unmask: false });
  expect(toResponsesQuery({ ...DEFAULT_SETTINGS, format: 'json', unmask: 'yes' }, false)).toEqual({
    ...base,
    format: 'json',
  });
});

it('sends how to treat answers only if it is chosen', () => {
  const chosen = { onInvalidAnswer: 'blank', partialResponses: 'leave_out', includeTests: true } as const;
  const query = { on_invalid_answer: 'blank', partial_responses: 'leave_out', include_tests: true };
  expect(toResponsesQuery({ ...DEFAULT_SETTINGS, ...chosen }, true)).toMatchObject(query);
  expect(toSurveyQuery({ ...DEFAULT_SETTINGS, ...chosen }, true)).toMatchObject(query);
});

it('offers what the permissions allow', () => {
  expect(allowedTargets((permission) => permission === 'responses:import')).toEqual(['responses']);
  expect(allowedTargets(() => true)).toEqual(['survey', 'responses']);
});

it('sends options of a table that are set', () => {
  const chosen = { dateFormat: 'DD/MM/YYYY', timeZone: 'Europe/Berlin', columns: { Timestamp: 'submitted_at' } };
  const settings = { ...DEFAULT_SETTINGS, ...chosen };
  expect(toResponsesQuery(settings, true)).toMatchObject({
    date_format: 'DD/MM/YYYY',
    time_zone: 'Europe/Berlin',
    columns: '{"Timestamp":"submitted_at"}',
  });
  expect(toSurveyQuery(settings, true)).toMatchObject({ columns: '{"Timestamp":"submitted_at"}' });
});

it('knows the sources and formats of the documentation', () => {
  const section = guide.slice(guide.indexOf('## I have a file from'), guide.indexOf('```sh'));
  const namesIn = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  const rows = section
    .split('\n')
    .filter((line) => /^\| (a )?\[/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const documented = rows.map(([, , source, survey, responses]) => [
    namesIn(source)[0],
    { survey: namesIn(survey).sort(), responses: namesIn(responses).sort() },
  ]);
  const known = SOURCE_NAMES.map((name) => {
    const { survey, responses } = SOURCES[name].formats;
    return [name, { survey: survey.toSorted(), responses: responses.toSorted() }];
  });
  expect(Object.fromEntries(known)).toEqual(Object.fromEntries(documented));
});

it('names unknown sources by themselves', () => {
  expect([sourceLabel('qualtrics'), sourceLabel('later')]).toEqual(['Qualtrics', 'later']);
});
