import { ImportSurveyRequestSchema } from '@survey/proto/survey/imports/v1/import_service_pb';
import { SubmitPublicResponseRequestSchema } from '@survey/proto/survey/responses/v1/public_response_service_pb';
import { CreateSurveyRequestSchema } from '@survey/proto/survey/surveys/v1/survey_service_pb';
import { CreateWebhookRequestSchema } from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AppError } from '../errors/app-error.ts';
import { messageFromJson } from './json-input.ts';

const submit = (json: unknown) => messageFromJson(SubmitPublicResponseRequestSchema, json);

function problemsOf(read: () => unknown) {
  try {
    read();
  } catch (error) {
    const { code, errors } = error as AppError;
    return { code, problems: errors.map(({ path, code }) => `${path} ${code}`) };
  }
  throw new Error('nothing was rejected');
}

describe('messageFromJson', () => {
  it('does not change free-form objects', () => {
    const data = { a: [1, null, { b: 'é' }], constructor: 'x', '': 0 };
    expect(submit({ data }).data).toEqual(data);
  });

  it('accepts timestamps with any offset', () => {
    expect(submit({ data: {}, started_at: '2026-01-02T03:04:05.5+01:00' }).startedAt).toMatchObject({
      seconds: BigInt(Date.parse('2026-01-02T02:04:05Z') / 1000),
      nanos: 500_000_000,
    });
  });

  it('drops a reference to a schema where the contract allows one', () => {
    const create = (json: object) => messageFromJson(CreateSurveyRequestSchema, { schema_version: '1.0', ...json });
    expect(create({ $schema: 'https://example.org/schema.json' })).toEqual(create({}));
    expect(problemsOf(() => create({ $schema: 1 })).problems).toEqual(['/$schema WRONG_TYPE']);
    expect(problemsOf(() => submit({ data: {}, $schema: 'x' })).problems).toEqual(['/$schema UNKNOWN_FIELD']);
  });

  it('treats null as absent', () => {
    expect(submit({ data: {}, status: null }).status).toBeUndefined();
  });

  it('reports all invalid members', () => {
    const json = { data: [], started_at: 'soon', survey_version: '1', strict: 1, startedAt: 'x', 'a/b': 1, status: 5 };
    expect(problemsOf(() => submit(json))).toEqual({
      code: 'INVALID_REQUEST',
      problems: [
        '/data WRONG_TYPE',
        '/started_at WRONG_TYPE',
        '/survey_version WRONG_TYPE',
        '/strict WRONG_TYPE',
        '/startedAt UNKNOWN_FIELD',
        '/a~1b UNKNOWN_FIELD',
        '/status WRONG_TYPE',
      ],
    });
  });

  it.each([1.5, 2 ** 31, 1e300, '7', true])('rejects %j as an integer', (value) => {
    expect(problemsOf(() => submit({ data: {}, survey_version: value })).problems).toEqual([
      '/survey_version WRONG_TYPE',
    ]);
  });

  it('reports at most a hundred problems, in limited size for any names', () => {
    const name = '~/'.repeat(1024 * 1024);
    const data = { [name]: Array.from({ length: 1_000 }, () => '\ud800') };
    const { code, problems } = problemsOf(() => submit({ data }));
    expect([code, problems.length]).toEqual(['INVALID_REQUEST', 100]);
    expect(problems.join('').length).toBeLessThan(100_000);
  });

  it('rejects text that is not well-formed Unicode', () => {
    expect(problemsOf(() => submit({ data: { a: '\ud800' } })).problems).toEqual(['/data/a WRONG_TYPE']);
    expect(problemsOf(() => submit({ data: { a: [{ '\udc00': 1 }] } })).problems).toEqual([
      '/data/a/0/\udc00 WRONG_TYPE',
    ]);
    expect(problemsOf(() => submit({ data: {}, status: 'a\ud800' })).problems).toEqual(['/status WRONG_TYPE']);
  });

  it('checks items of lists, and nested messages', () => {
    const webhook = { url: 'x', event_types: ['*', 5] };
    expect(problemsOf(() => messageFromJson(CreateWebhookRequestSchema, webhook)).problems).toEqual([
      '/event_types/1 WRONG_TYPE',
    ]);
    const options = { options: { preserve_ids: 'no', other: 1 } };
    expect(problemsOf(() => messageFromJson(ImportSurveyRequestSchema, options)).problems).toEqual([
      '/options/preserve_ids WRONG_TYPE',
      '/options/other UNKNOWN_FIELD',
    ]);
  });

  it('reports at most a hundred problems', () => {
    const json = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`m${n}`, n]));
    expect(problemsOf(() => submit(json)).problems).toHaveLength(100);
  });

  it.each([null, [], 'x', 5])('rejects %j as a message', (json) => {
    expect(problemsOf(() => submit(json)).problems).toEqual([' WRONG_TYPE']);
  });

  it('throws only its own error, for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        try {
          submit(json);
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_REQUEST' });
        }
      }),
    );
  });
});
