import type { ImportPlanColumn } from '@survey/client';
import { expect, it } from 'vitest';
import { columnKey, describeContents, describeFound, targetOptions, withSuggestions } from './mapping.ts';

const columnOf = (column: number, heading: string, suggestion = ''): ImportPlanColumn => ({
  column,
  heading,
  target: '',
  question_id: '',
  found_by: '',
  confidence: 0,
  contents: {},
  problems: [],
  suggestion,
});

it('names columns by heading, or by position', () => {
  const columns = [columnOf(1, 'a'), columnOf(2, 'b'), columnOf(3, 'b'), columnOf(4, '')];
  expect(columns.map((column) => columnKey(column, columns))).toEqual(['a', '#2', '#3', '#4']);
});

it('describes how a target was found, and what the cells have', () => {
  expect(describeFound({ found_by: 'title', confidence: 0.9 })).toBe('the title, 90 %');
  expect(describeFound({ found_by: '', confidence: 0 })).toBe('');
  expect(describeContents({ empty: 1, number: 12 })).toBe('12 number, 1 empty');
});

it('offers all targets and the current one', () => {
  expect(targetOptions([{ name: 'q1', title: 'How?' }], 'metadata.x')).toEqual([
    { value: '', label: 'not imported' },
    { value: 'metadata.x', label: 'metadata.x' },
    { value: 'q1', label: 'How? (q1)' },
  ]);
});

it('takes suggested targets', () => {
  const columns = [columnOf(1, 'Timestamp', 'submitted_at'), columnOf(2, 'x')];
  expect(withSuggestions(columns, { x: 'q1' })).toEqual({ x: 'q1', Timestamp: 'submitted_at' });
  expect(withSuggestions([columnOf(1, 'x')], {})).toBeUndefined();
});
