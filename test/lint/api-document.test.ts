import document from '@survey/proto/openapi.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { type ApiDocument, type Content, createSchemas, resolve, toToken } from '../support/api/api-document.ts';

const api: ApiDocument = document;
const schemas = createSchemas(document);

const operations = Object.entries(api.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs).map(([verb, operation]) => ({
    ...operation,
    pointer: `/paths/${toToken(path)}/${verb}`,
  })),
);

/** Checks each example of a content against its schema. Returns their number. */
function checkContent(pointer: string, content: Content = {}): number {
  const shown = Object.entries(content).filter(
    ([, { schema, example }]) => schema !== undefined && example !== undefined,
  );
  for (const [type, { example }] of shown) schemas.check(`${pointer}/content/${toToken(type)}/schema`, example);
  return shown.length;
}

describe('every example of the document fits its schema', () => {
  it.each(operations)('in $operationId', ({ pointer, parameters = [], requestBody, responses }) => {
    let count = checkContent(`${pointer}/requestBody`, requestBody?.content);
    for (const [status, reply] of Object.entries(responses))
      if (!('$ref' in reply)) count += checkContent(`${pointer}/responses/${status}`, reply.content);
    parameters.forEach((parameter, at) => {
      if ('$ref' in parameter) return;
      count += checkContent(`${pointer}/parameters/${at}`, parameter.content);
      for (const example of parameter.schema?.examples ?? []) {
        schemas.check(`${pointer}/parameters/${at}/schema`, example);
        count += 1;
      }
    });
    expect(count).toBeGreaterThan(0);
  });

  it.each(Object.entries(document.webhooks))('in the request for %s', (event, { post }) => {
    const pointer = `/webhooks/${event}/post`;
    expect(checkContent(`${pointer}/requestBody`, post.requestBody.content)).toBe(1);
    expect(post.requestBody.content['application/json'].example.event).toBe(event);
    post.parameters.forEach(({ schema }, at) => {
      for (const example of schema.examples) schemas.check(`${pointer}/parameters/${at}/schema`, example);
    });
  });

  it('among the problems', () => {
    expect(Object.keys(api.components.examples)).toContain('INVALID_ANSWERS');
    for (const { value } of Object.values(api.components.examples)) schemas.check('/components/schemas/Problem', value);
  });
});

/** Returns all patterns of schemas below a part of the document. */
function patternsOf(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, member]) =>
    name === 'pattern' && typeof member === 'string' ? [member] : patternsOf(member),
  );
}

describe('every pattern of the document', () => {
  it('is a regular expression of JavaScript, also of older versions', () => {
    const patterns = new Set(patternsOf(document));
    expect(patterns.size).toBeGreaterThan(10);
    for (const pattern of patterns) {
      expect(() => new RegExp(pattern, 'u'), pattern).not.toThrow();
      // Modifiers of groups are new in ECMAScript 2025: Node 20 rejects them.
      expect(pattern).not.toMatch(/\(\?[a-z-]+:/);
    }
  });
});

describe('every failure in the document', () => {
  it('shows its code in an example', () => {
    // The pages outside of the API fail in fewer ways, and the body of /health reports its state.
    for (const { operationId, responses } of operations.filter(({ pointer }) => pointer.startsWith('/paths/~1v1~1'))) {
      const failures = Object.entries(responses).filter(([status]) => !/^[23]/.test(status));
      expect(failures.length, operationId).toBeGreaterThan(3);
      for (const [status, failure] of failures) {
        const { content } = resolve<{ content: Record<string, { examples?: object }> }>(
          document,
          failure as { $ref: string },
        );
        expect(Object.keys(content['application/problem+json']?.examples ?? {}), status).not.toEqual([]);
      }
    }
  });
});

describe('the schemas that replies are checked with', () => {
  const webhook = document.paths['/v1/webhooks/{webhook_id}'].get.responses['200'].content['application/json'].example;

  it('reject a member that is not in the document', () => {
    expect(() => schemas.check('/components/schemas/Webhook', webhook)).not.toThrow();
    expect(() => schemas.check('/components/schemas/Webhook', { ...webhook, other: 1 })).toThrow(
      'additional properties',
    );
  });

  it('reject one that is missing, or of another type', () => {
    expect(() => schemas.check('/components/schemas/Webhook', { ...webhook, id: undefined })).toThrow("'id'");
    expect(() => schemas.check('/components/schemas/Webhook', { ...webhook, active: 'yes' })).toThrow('boolean');
  });
});
