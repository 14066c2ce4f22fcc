import { expect, it } from 'vitest';
import guide from '../../../../docs/import.md?raw';
import { SOURCE_NAMES, SOURCES, sourceLabel } from './import-formats.ts';

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
