import { create } from '@bufbuild/protobuf';
import { ValueSchema } from '@bufbuild/protobuf/wkt';
import { ImportSurveyRequestSchema } from '@survey/proto/survey/imports/v1/import_service_pb';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import { createImportReceiver, fileOfValue } from './import-request.ts';
import { createStaging } from './staging/staged-file.ts';

const text = create(ValueSchema, { kind: { case: 'stringValue', value: '[1]' } });
const unused = () => Promise.reject(new Error('nothing is staged'));
const number = create(ValueSchema, { kind: { case: 'numberValue', value: 5 } });
const list = create(ValueSchema, { kind: { case: 'listValue', value: { values: [] } } });

describe('the file in a request', () => {
  it('is JSON for JSON formats, and a string for others', async () => {
    const contents = async (file: ReturnType<typeof fileOfValue>) =>
      Buffer.concat(await Array.fromAsync(file.open())).toString();
    expect(await contents(fileOfValue(list, 'json', '/data'))).toBe('[]');
    expect(await contents(fileOfValue(text, 'csv', '/data'))).toBe('[1]');
  });

  it.each([
    [text, 'json', 'A file in the format json must be a JSON value in the body, not a string'],
    [text, 'qsf', 'A file in the format qsf must be a JSON value in the body, not a string'],
    [list, 'csv', 'A file in the format csv must be a string with the text of the file'],
    [undefined, 'lss', 'A file in the format lss must be a string with the text of the file'],
    [text, 'xlsx', 'A file in the format xlsx must be the whole body'],
    [number, '', 'A file must be a JSON object or array, or a string with its text'],
    [number, 'json', 'A file must be a JSON object or array, or a string with its text'],
  ])('is rejected with another JSON type %#', (value, format, detail) => {
    expect(() => fileOfValue(value, format, '/data')).toThrow(
      expect.objectContaining({ code: 'INVALID_IMPORT', errors: [{ path: '/data', code: 'WRONG_TYPE', detail }] }),
    );
  });
});

describe('an invalid query', () => {
  it('is reported at its parameter, also if a value has a slash', async () => {
    const receive = createImportReceiver({ staging: { receive: unused, discard: unused }, now: () => 0, maxBytes: 1 });
    const paths = ['/options/columns/Age', '/options/columns/', '/survey_id'];
    const errors = paths.map((path) => ({ path, code: 'TOO_LONG', detail: 'x' }));
    const receiving = receive({
      schema: ImportSurveyRequestSchema,
      check: () => {
        throw new AppError('VALIDATION_FAILED', { errors });
      },
      message: create(ImportSurveyRequestSchema),
      member: 'data',
      params: {},
      tenantId: toTenantId('a'),
      alwaysStage: false,
      exchange: { request: { url: '/?format=json', headers: {} } as never, body: (async function* () {})() },
    });
    const shown = ['/columns/Age', '/columns/', '/survey_id'].map((path) => ({ path }));
    await expect(receiving).rejects.toMatchObject({ code: 'INVALID_REQUEST', errors: shown });
  });
});

describe('files that arrive concurrently', () => {
  it('are limited per tenant, with capacity left for others', async () => {
    const end = Promise.withResolvers<void>();
    async function* slow() {
      await end.promise;
      yield Buffer.from('{}');
    }
    const store = { add: unused, discard: unused, find: unused };
    const envelope = { cipherOf: unused, decrypt: unused };
    const receive = createImportReceiver({
      staging: createStaging({ envelope, store, newId: () => 'i' }),
      now: () => performance.now(),
      maxBytes: 1_000,
    });
    const arrive = (tenant: string) =>
      receive({
        schema: ImportSurveyRequestSchema,
        check: () => {},
        message: create(ImportSurveyRequestSchema),
        member: 'data',
        params: {},
        tenantId: toTenantId(tenant),
        alwaysStage: false,
        exchange: { request: { url: '/?format=json', headers: {} } as never, body: slow() },
      });
    const first = Array.from({ length: 16 }, () => arrive('a'));
    await expect(arrive('a')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    const other = arrive('b');
    end.resolve();
    expect((await Promise.all([...first, other])).map(({ file }) => file.size)).toEqual(Array(17).fill(2));
    expect((await arrive('a')).file.size).toBe(2);
  });
});
