import type { JsonObject } from '@bufbuild/protobuf';
import document from '@survey/proto/openapi.json' with { type: 'json' };
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { toPayload } from '../deliveries/delivery.ts';
import { toEventTypeMessage } from '../webhook-mapper.ts';
import { eventTypes } from './event-catalog.ts';

describe('the schema of', () => {
  it.each(eventTypes.map((type) => [type.name, type] as const))('%s matches its example strictly', (_name, type) => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    addFormats.default(ajv);
    const validate = ajv.compile(type.schema);
    expect(validate(type.example), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({})).toBe(false);
    // An event without a required member is invalid.
    for (const name of type.schema['required'] as string[]) {
      const { [name]: _, ...rest } = type.example;
      expect(validate(rest), name).toBe(false);
    }
  });

  it.each(eventTypes.map((type) => [type.name, type] as const))(
    '%s requires what orders events',
    (_name, { schema }) => {
      expect(schema['required']).toEqual(expect.arrayContaining(['occurred_at', 'revision']));
      expect(schema['properties']).toMatchObject({
        occurred_at: { type: 'string', format: 'date-time' },
        revision: { type: 'integer', minimum: 1 },
      });
    },
  );

  it.each(eventTypes.map((type) => [type.name, type] as const))('%s describes every member', (_name, { schema }) => {
    for (const member of Object.values(schema['properties'] as Record<string, JsonObject>)) {
      expect(member['description']).toMatch(/\.$/);
    }
  });
});

it('examples are whole bodies', () => {
  for (const type of eventTypes) {
    const { example } = toEventTypeMessage(type);
    const members = Object.keys(toPayload({ type: type.name, data: {} }, '', new Date()));
    expect(Object.keys(example)).toEqual(members);
    expect(example).toMatchObject({ event: type.name, data: type.example });
  }
});

it('are all in the API document, with an example that is a webhook event', () => {
  expect(Object.keys(document.webhooks)).toEqual(eventTypes.map(({ name }) => name));
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  const validate = ajv.compile({ $ref: 'document#/components/schemas/WebhookEvent' });
  for (const type of eventTypes) {
    const { example } = toEventTypeMessage(type);
    expect(validate(example), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...example, data: {} })).toBe(false);
  }
});
