import { create, type JsonObject } from '@bufbuild/protobuf';
import { Validator } from '@seriousme/openapi-schema-validator';
import { catalog } from '@survey/proto/catalog';
import document from '@survey/proto/openapi.json' with { type: 'json' };
import { QUESTION_TYPE_NAMES } from '@survey/questionnaire/schema/question-schema';
import { messageFromJson } from '@survey/runtime/rest/json-input';
import { type Route, routesOf } from '@survey/runtime/rest/route';
import { createMessageCheck } from '@survey/runtime/rpc/message-check';
import { describe, expect, it } from 'vitest';

interface MediaType {
  readonly schema?: object;
  readonly example?: unknown;
}

interface Schema {
  readonly type?: string;
  readonly oneOf?: readonly object[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, { readonly description?: string; readonly $ref?: string }>>;
}

interface Operation {
  readonly description: string;
  readonly summary: string;
  readonly parameters?: readonly {
    readonly description?: string;
    readonly $ref?: string;
    readonly name?: string;
    readonly in?: string;
    readonly schema?: { readonly examples?: readonly unknown[] };
    readonly content?: Readonly<Record<string, MediaType>>;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<
    Record<
      string,
      { readonly description?: string; readonly $ref?: string; readonly content?: Readonly<Record<string, MediaType>> }
    >
  >;
}

const routes = routesOf(Object.values(catalog).flat());
const paths: Record<string, Record<string, Operation>> = document.paths;

function operationOf({ template, httpMethod }: Route): Operation {
  const operation = paths[template]?.[httpMethod.toLowerCase()];
  if (operation === undefined) throw new Error(`there is no route ${httpMethod} ${template}`);
  return operation;
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0');
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it('has every route, the pages that programs read, and nothing else', () => {
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((verb) => `${verb} ${path}`),
    );
    const served = routes.map(({ httpMethod, template }) => `${httpMethod.toLowerCase()} ${template}`);
    expect(described.sort()).toEqual([...served, 'get /health', 'get /metrics'].sort());
  });

  it('describes every operation, parameter and member', () => {
    for (const operation of Object.values(paths).flatMap((verbs) => Object.values(verbs))) {
      expect(operation.description).not.toBe('');
      expect(operation.summary).toMatch(/^[A-Z][^`]*[^`.]$/);
      for (const { description, $ref } of operation.parameters ?? []) expect($ref ?? description).toBeTruthy();
    }
    const schemas: Readonly<Record<string, Schema>> = document.components.schemas;
    for (const [name, { description: whole, properties }] of Object.entries(schemas)) {
      if (properties !== undefined) expect(whole, name).toBeTruthy();
      for (const [member, { description, $ref }] of Object.entries(properties ?? {}))
        expect($ref ?? description, `${name}.${member}`).toBeTruthy();
    }
  });

  it('describes definitions by their schema, in requests and replies', () => {
    const definition = { $ref: '#/components/schemas/SurveyDefinition', description: expect.any(String) };
    const { CreateSurveyRequest, SurveyPayload, Survey, SurveyVersion, SurveyDraft, PublicSurvey } =
      document.components.schemas;
    for (const { properties } of [CreateSurveyRequest, SurveyPayload]) expect(properties.survey).toEqual(definition);
    for (const { properties } of [Survey, SurveyVersion, SurveyDraft, PublicSurvey])
      expect(properties.definition).toEqual(definition);
    expect(Object.keys(document.components.schemas.SurveyQuestion.discriminator.mapping)).toEqual(QUESTION_TYPE_NAMES);
  });

  it('describes the responses to uploaded files', () => {
    const later = { schema: { $ref: '#/components/schemas/ImportJob' }, example: expect.anything() };
    const ofSurveys = document.paths['/v1/surveys/import'].post.responses;
    const ofResponses = document.paths['/v1/surveys/{survey_id}/responses/import'].post.responses;
    for (const responses of [ofSurveys, ofResponses]) {
      expect(responses['202'].content).toEqual({ 'application/json': later });
      expect(responses['200'].content['application/json'].schema.anyOf).toHaveLength(2);
      expect(responses).toHaveProperty('406');
    }
    expect(ofSurveys).toHaveProperty('201');
  });

  it('has all referenced components', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
    const components: Readonly<Record<string, object>> = document.components;
    for (const [, kind = '', name = ''] of refs) expect(components[kind], name).toHaveProperty([name]);
  });
});

describe('the examples of the document', () => {
  it.each(routes.map((route) => ({ route, name: route.operationId })))('exist for $name', ({ route }) => {
    const { parameters = [], requestBody, responses } = operationOf(route);
    const described = parameters.filter(({ content }) => content === undefined);
    for (const { name, in: location, schema } of described)
      if (location === 'path' || location === 'query') expect(schema?.examples, name).toHaveLength(1);
    const json = [
      ...parameters.flatMap(({ content = {} }) => Object.entries(content)),
      ...Object.entries(requestBody?.content ?? {}),
      ...Object.entries(responses[route.successCode]?.content ?? {}),
    ];
    for (const [type, { example }] of json) if (/json$/.test(type)) expect(example, type).toBeDefined();
  });

  it.each(routes.filter(({ body }) => body !== undefined).map((route) => ({ route, name: route.operationId })))(
    'are requests that $name takes, by its rules too',
    ({ route }) => {
      const example = operationOf(route).requestBody?.content['application/json']?.example as JsonObject; // of a message
      const { method, body } = route;
      const named = Object.fromEntries(
        route.segments.flatMap((part) => ('field' in part ? [[part.field.name, 'x']] : [])),
      );
      const members = body === '*' || body === undefined ? example : { [body.name]: example };
      const message = messageFromJson(method.input, { ...members, ...named });
      expect(message).not.toEqual(create(method.input));
      createMessageCheck()(method.input, message);
    },
  );
});
