import { Validator } from '@seriousme/openapi-schema-validator';
import { catalog } from '@survey/proto/catalog';
import document from '@survey/proto/openapi.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { routesOf } from './route.ts';

const routes = routesOf(Object.values(catalog).flat());
const paths: Record<
  string,
  Record<string, { description: string; parameters?: { description?: string; $ref?: string }[] }>
> = document.paths;

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0');
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it('has every route and nothing else', () => {
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((verb) => `${verb} ${path}`),
    );
    expect(described.sort()).toEqual(
      routes.map(({ httpMethod, template }) => `${httpMethod.toLowerCase()} ${template}`).sort(),
    );
  });

  it('describes every operation, parameter and member', () => {
    for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
      expect(operation.description).not.toBe('');
      for (const { description, $ref } of operation.parameters ?? []) expect($ref ?? description).toBeTruthy();
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      expect(schema.description, name).not.toBe('');
      for (const [member, { description }] of Object.entries(schema.properties))
        expect(description, `${name}.${member}`).toBeTruthy();
    }
  });

  it('tells what a file is answered with that takes longer, or of which nothing is made', () => {
    const later = { 'application/json': { schema: { $ref: '#/components/schemas/Import' } } };
    const ofSurveys = document.paths['/v1/surveys/import'].post.responses;
    const ofResponses = document.paths['/v1/surveys/{survey_id}/responses/import'].post.responses;
    for (const responses of [ofSurveys, ofResponses]) {
      expect(responses['202'].content).toEqual(later);
      expect(responses['200'].content['application/json'].schema.anyOf).toHaveLength(2);
      expect(responses).toHaveProperty('406');
    }
    expect(ofSurveys).toHaveProperty('201');
  });

  it('refers only to schemas that it has', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(refs));
  });
});
