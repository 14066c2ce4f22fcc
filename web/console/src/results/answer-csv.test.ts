import type { Answer } from '@survey/client';
import { expect, it, vi } from 'vitest';
import { toAnswerFile } from './answer-csv.ts';

const toAnswer = (id: string, answer: unknown): Answer => ({
  response_id: id,
  created_at: '2026-01-01T00:00:00Z',
  status: 'completed',
  survey_version: 2,
  answer,
});

it('writes texts page by page, with masked formulas', async () => {
  const load = vi.fn(async (cursor: string | undefined) =>
    cursor === undefined
      ? { items: [toAnswer('a', '=1+1'), toAnswer('b', 'two\n"=lines"')], nextCursor: 'next' }
      : { items: [toAnswer('c', { option: 'x' })], nextCursor: undefined },
  );
  const file = toAnswerFile(load, false, 3);
  expect(file.headers.get('x-total-count')).toBe('3');
  // `text` removes the byte order mark.
  expect([...new Uint8Array(await file.clone().arrayBuffer()).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(await file.text()).toBe(
    [
      'response_id,created_at,status,survey_version,answer',
      "a,2026-01-01T00:00:00Z,completed,2,'=1+1",
      'b,2026-01-01T00:00:00Z,completed,2,"two\n""\'=lines"""',
      'c,2026-01-01T00:00:00Z,completed,2,"{""option"":""x""}"',
      '',
    ].join('\r\n'),
  );
  expect(load.mock.calls).toEqual([[undefined], ['next']]);
});

it('writes a row for each file', async () => {
  const items = [toAnswer('a', [{ file_id: 'f1' }, { file_id: 'f2' }]), toAnswer('b', [])];
  const file = toAnswerFile(async () => ({ items, nextCursor: undefined }), true, 2);
  expect(await file.text()).toBe(
    [
      'response_id,created_at,status,survey_version,file_id',
      'a,2026-01-01T00:00:00Z,completed,2,f1',
      'a,2026-01-01T00:00:00Z,completed,2,f2',
      '',
    ].join('\r\n'),
  );
});

it('fails as its pages do', async () => {
  const file = toAnswerFile(() => Promise.reject(new Error('lost')), false, 1);
  await expect(file.text()).rejects.toThrow('lost');
});
