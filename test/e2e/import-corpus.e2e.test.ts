import { areNamedAlike, CORPUS_FOLDERS, corpusFiles, formatOf } from '@survey/formats/testing/corpus';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { type Api, createTenant } from '../support/platform.ts';
import { byToolId, exportOf } from './exported.ts';

let api: Api;
let stranger: Api;

beforeAll(async () => {
  [api, stranger] = [(await createTenant()).api, (await createTenant()).api];
});

/** Files in a format that is not supported, or not for this source. */
const NO_FORMAT = ['UNKNOWN_VALUE', 'NO_SUCH_FORMAT'];
const BYTES = { 'content-type': 'application/octet-stream' };
/** Problems of a published survey become warnings. */
const importSurvey = (of: Api, source: string, format: string, body: Uint8Array | string, query = '') =>
  of('POST', `/v1/surveys/import?source=${source}&format=${format}&validate_logic=false${query}`, {
    body,
    headers: BYTES,
  });

const isAll = inject('testScope') === 'all';
/** Files per folder. A survey and its responses are adjacent. */
const FILES_PER_FOLDER = isAll ? Number.POSITIVE_INFINITY : 5;
/** Minimum per folder. */
const LEAST_IMPORTED = isAll ? 2 : 1;
const LEAST_WITH_RESPONSES = isAll ? 6 : 1;

const files = CORPUS_FOLDERS.flatMap(([folder, source]) =>
  corpusFiles(folder)
    .slice(0, FILES_PER_FOLDER)
    .map((file) => ({ file, folder, path: `${folder}/${file.name}`, source, format: formatOf(file) })),
);

interface Imported {
  readonly name: string;
  readonly id: string;
  /** The id of the survey imported from its export. */
  readonly copyId: string;
}

/** Imported surveys by folder. */
const imported = new Map<string, Imported[]>(CORPUS_FOLDERS.map(([folder]) => [folder, []]));
/** Imported files with only responses. */
const withResponses: string[] = [];

describe.skipIf(files.length === 0)('a published survey (if the corpus exists)', () => {
  it.each(files)(
    'is the same after export and import, or is rejected: $path',
    async ({ file, folder, source, format }) => {
      const first = await importSurvey(api, source, format, file.read());
      if (first.status !== 201) {
        const [{ code }] = first.body.errors;
        expect([first.status, code]).toEqual([NO_FORMAT.includes(code) ? 400 : 422, expect.any(String)]);
        return;
      }
      const exported = await exportOf(api, `/v1/surveys/${first.body.id}`);
      const responses = await exportOf(api, `/v1/surveys/${first.body.id}/responses`);
      expect(responses).toHaveLength(first.body.import.imported);
      const copy = JSON.stringify({ ...exported, responses });
      // Imported responses may lack answers to required questions.
      const second = await importSurvey(stranger, 'custom', 'json', copy, '&on_invalid_answer=keep');
      expect(second.status).toBe(201);
      expect(second.body.import).toMatchObject({ imported: responses.length, failed: 0 });
      expect(await exportOf(stranger, `/v1/surveys/${second.body.id}`)).toEqual(exported);
      const again = await exportOf(stranger, `/v1/surveys/${second.body.id}/responses`);
      expect(again).toHaveLength(responses.length);
      expect(byToolId(again)).toEqual(byToolId(responses));
      imported.get(folder)?.push({ name: file.name, id: first.body.id, copyId: second.body.id });
    },
  );

  it('is one of many that can be imported', () => {
    const counts = [...imported].map(([folder, surveys]) => [folder, surveys.length]);
    const least = Math.min(...counts.map(([, count]) => Number(count)));
    expect(least, JSON.stringify(counts)).toBeGreaterThanOrEqual(LEAST_IMPORTED);
  });

  it.each(files)('has the same responses in its copy: $path', async (responses) => {
    const { file, folder, path, source, format } = responses;
    const alike = imported.get(folder)?.filter((survey) => areNamedAlike(survey, file)) ?? [];
    for (const { id, copyId } of alike) {
      const to = `/v1/surveys/${id}/responses`;
      const { status, body } = await api('POST', `${to}/import?source=${source}&format=${format}`, {
        body: file.read(),
        headers: BYTES,
      });
      if (status !== 200 || body.imported === 0) continue;
      withResponses.push(path);
      const exported = await exportOf(api, to);
      const copied = await stranger(
        'POST',
        `/v1/surveys/${copyId}/responses/import?format=json&on_invalid_answer=keep`,
        {
          body: JSON.stringify(exported),
          headers: BYTES,
        },
      );
      expect(copied.body).toMatchObject({ total: exported.length, failed: 0 });
      const inCopy = await exportOf(stranger, `/v1/surveys/${copyId}/responses`);
      expect(inCopy).toHaveLength(exported.length);
      expect(byToolId(inCopy)).toEqual(byToolId(exported));
    }
  });

  it('has separate files of responses, some of which can be imported', () => {
    expect(withResponses.length, withResponses.join()).toBeGreaterThanOrEqual(LEAST_WITH_RESPONSES);
  });
});
