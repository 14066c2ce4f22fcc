import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { type ApiDocument, readOperations } from './client-operations.ts';
import { printClient } from './print-client.ts';

const document: ApiDocument = JSON.parse(
  await readFile(new URL(import.meta.resolve('@survey/proto/openapi.json')), 'utf8'),
);

it('every operation of the API is a method, except pages of the gateway', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const ids = operations.filter(({ tags }) => !tags.includes('Platform')).map(({ operationId }) => operationId);
  expect(readOperations(document).map(({ operationId }) => operationId)).toEqual(ids);
});

it('methods have short names', () => {
  const names = readOperations(document).map(({ resource, name }) => `${resource}.${name}`);
  expect(names).toEqual(
    expect.arrayContaining([
      ...['surveys.create', 'surveys.list', 'surveys.getVersion', 'surveys.validatePayload', 'surveys.export'],
      ...['links.createTokens', 'respondents.submitResponse', 'respondents.submitLinkResponse', 'responses.count'],
      ...['imports.importSurvey', 'imports.listErrors', 'webhooks.rotateSecret', 'account.getMe', 'apiKeys.create'],
    ]),
  );
});

it('two methods with one name are an error', () => {
  const { list, ...rest } = { ...document.paths['/v1/surveys'], list: document.paths['/v1/surveys']?.['get'] };
  const paths = { '/v1/surveys': rest, '/v1/more': { get: list } };
  expect(() => printClient({ ...document, paths } as ApiDocument)).toThrow('two operations are named surveys.list');
});

it('two types with one name are an error', () => {
  const schemas = { ...document.components.schemas, ListSurveysQuery: {} };
  const components = { ...document.components, schemas };
  expect(() => printClient({ ...document, components })).toThrow('two types have the same name: ListSurveysQuery');
});

it('limits of requests, patches and queries are attributes of inputs', () => {
  const limits = printClient(document)['limits.ts'];
  expect(limits).toMatch(/CreateWebhookRequest = {"url":{"minLength":1,"maxLength":2048},/);
  expect(limits).toMatch(/SurveySettingsPatch = .*"retention_days":{"min":1,"max":36500}/);
  expect(limits).toMatch(/ExportResponsesQuery = .*"not_shown":{"minLength":1,"maxLength":32}/);
});
