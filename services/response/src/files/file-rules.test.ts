import { describe, expect, it } from 'vitest';
import type { FileKind } from './file-receiver.ts';
import { kindProblem, sizeProblem } from './file-rules.ts';

const kinds = {
  png: { contentType: 'image/png', extension: 'png' },
  jpg: { contentType: 'image/jpeg', extension: 'jpg' },
  mp4: { contentType: 'video/mp4', extension: 'mp4' },
  pdf: { contentType: 'application/pdf', extension: 'pdf' },
  exe: { contentType: 'application/x-msdownload', extension: 'exe' },
  zip: { contentType: 'application/zip', extension: 'zip' },
  cfb: { contentType: 'application/x-cfb', extension: 'cfb' },
  txt: { contentType: 'text/plain', extension: 'txt' },
  csv: { contentType: 'text/csv', extension: 'csv' },
  unknown: { contentType: 'application/octet-stream', extension: undefined },
} as const satisfies Record<string, FileKind>;

describe('a file that a question accepts', () => {
  it.each<[readonly string[], keyof typeof kinds, string | undefined]>([
    [[], 'unknown', undefined],
    [['*/*'], 'unknown', undefined],
    [['image/*'], 'png', undefined],
    [['image/jpg'], 'jpg', undefined],
    [['.jpeg'], 'jpg', 'photo'],
    [['.pdf', 'image/*'], 'pdf', 'no-extension'],
    [['text/*'], 'csv', undefined],
    [['.jpg'], 'jpg', 'photo.JPE'],
    [['image/*'], 'jpg', 'photo.png'],
    [['video/*'], 'mp4', 'film.m4v'],
    [['.pdf'], 'pdf', 'Invoice No. 5'],
    [['.pdf'], 'pdf', 'version 1.2'],
    [['text/plain'], 'txt', 'notes.log'],
    [['application/zip'], 'zip', 'a.zip'],
    [['.log'], 'txt', 'notes.log'],
    [['.docx'], 'zip', 'a.docx'],
    [['application/vnd.openxmlformats-officedocument.wordprocessingml.document'], 'zip', 'a.docx'],
    [['.doc'], 'cfb', 'a.doc'],
    [['application/msword'], 'cfb', undefined],
    [['.own'], 'unknown', 'a.OWN'],
  ])('%j accepts %s named %s', (accept, kind, filename) => {
    expect(kindProblem({ accept }, kinds[kind], filename)).toBeUndefined();
  });

  it.each<[readonly string[], keyof typeof kinds, string | undefined]>([
    [['image/*'], 'pdf', 'a.png'],
    [['image/png'], 'jpg', 'a.png'],
    [['.pdf'], 'exe', 'a.pdf'],
    [['.pdf'], 'unknown', 'a.pdf'],
    [['.pdf'], 'txt', 'a.pdf'],
    [['.own'], 'exe', 'a.own'],
    [['.own'], 'unknown', 'a.other'],
    [['.own'], 'unknown', undefined],
    [['.docx'], 'zip', 'a.zip'],
    [['.txt'], 'txt', 'notes.log'],
    [['.txt'], 'txt', 'page.html'],
    [['.png'], 'png', 'a.exe'],
    [['.png', '.jpg'], 'png', 'a.js'],
    [['image/*'], 'png', 'a.exe'],
    [['image/*'], 'png', 'a.pdf'],
    [['application/pdf'], 'pdf', 'a.html'],
    [['text/*'], 'txt', 'a.exe'],
    [['text/*'], 'txt', 'a.htm'],
    [['application/zip'], 'zip', 'a.docx'],
    [['application/vnd.openxmlformats-officedocument.wordprocessingml.document'], 'zip', 'a.zip'],
    [['application/vnd.openxmlformats-officedocument.wordprocessingml.document'], 'zip', 'a.xlsx'],
    [['.docx'], 'txt', 'a.docx'],
    [['application/json'], 'txt', 'a.json'],
    [['nonsense'], 'png', 'a.png'],
  ])('%j rejects %s named %s', (accept, kind, filename) => {
    expect(kindProblem({ accept }, kinds[kind], filename)).toMatchObject({ code: 'FILE_KIND_REFUSED' });
  });
});

it.each([
  [undefined, 100 * 1024 * 1024, undefined],
  [undefined, 100 * 1024 * 1024 + 1, 'FILE_TOO_LARGE'],
  [10 ** 12, 100 * 1024 * 1024 + 1, 'FILE_TOO_LARGE'],
  [10, 10, undefined],
  [10, 11, 'FILE_TOO_LARGE'],
])('with a max_bytes of %j a file of %i bytes is %s', (maxBytes, size, code) => {
  expect(sizeProblem({ maxBytes }, size)?.code).toBe(code);
});
