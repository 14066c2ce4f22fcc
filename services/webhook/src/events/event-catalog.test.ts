import { describe, expect, it } from 'vitest';
import { eventTypes, isEventPattern, patternsOf } from './event-catalog.ts';

describe('event patterns', () => {
  it.each([...eventTypes.map(({ name }) => name), 'survey.*', 'response.*', 'import.*', 'webhook.*', '*'])(
    'include %s',
    (pattern) => {
      expect(isEventPattern(pattern)).toBe(true);
    },
  );

  it.each(['', 'survey', 'survey.', 'survey.**', '*.created', 'survey.nope', 'SURVEY.*', 'toString', ' *'])(
    'do not include %j',
    (pattern) => {
      expect(isEventPattern(pattern)).toBe(false);
    },
  );

  it('of a type are its name, its family and *', () => {
    expect(patternsOf('survey.created')).toEqual(['survey.created', 'survey.*', '*']);
  });
});
