import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '@survey/client';
import { METADATA_LIMITS } from '@survey/questionnaire/metadata/metadata-fields';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

const readSource = (file: string) => readFile(join(root, file), 'utf8');

/** The value of a constant in code: a number, or a product of numbers. */
async function constant(file: string, name: string): Promise<number> {
  const product = new RegExp(`^(?:export )?const ${name} = ([\\d_ *]+);`, 'm').exec(await readSource(file))?.[1];
  if (product === undefined) throw new Error(`${file} has no constant ${name}`);
  return product.split('*').reduce((value, factor) => value * Number(factor.trim().replaceAll('_', '')), 1);
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Field | object)[];
}

interface Schema {
  readonly properties?: Readonly<Record<string, Member>>;
}

const api: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
} = JSON.parse(await readSource('proto/gen/openapi.json'));

const { ListSurveysQuery, ListResponseChangesQuery, RotateWebhookSecretRequest } = limits;
const { limit } = ListSurveysQuery;
const { overlap_hours: overlap, secret } = RotateWebhookSecretRequest;
const webhooks = 'proto/survey/webhooks/v1/webhook_service.proto';
const maxWebhooks = await constant('services/webhook/src/webhooks/webhook-service.ts', 'MAX_WEBHOOKS');
const maxHeaders = await constant('services/webhook/src/webhooks/webhook-headers.ts', 'MAX_HEADERS');
const metadata = `${METADATA_LIMITS.bytes / 1024} KiB`;
const body = `${(await constant('lib/runtime/src/rest/route.ts', 'DEFAULT_MAX_BODY_BYTES')) / 1024 ** 2} MiB`;
const maxWait = await constant('services/import/src/import-handler.ts', 'MAX_WAIT_S');
const rejected = await constant('services/import/src/reading/read-import.ts', 'MAX_REJECTED');
const maxRejected = rejected.toLocaleString('en');

describe('a limit is the same in code and in', () => {
  it.each([
    ['docs/api.md', `the size of a page: ${limit.min} to ${limit.max}, by default`],
    ['docs/api.md', `UTF-8 JSON of at most ${body}`],
    ['docs/api.md', `A tenant has at most ${maxWebhooks} webhooks`],
    [webhooks, `A tenant can have ${maxWebhooks} webhooks.`],
    [webhooks, `At most ${maxHeaders}; names`],
    ['docs/webhooks.md', `\`overlap_hours\`, ${overlap.min} to ${overlap.max}`],
    ['docs/webhooks.md', `a random secret with ${secret.minLength} to ${secret.maxLength} characters`],
    ['docs/keep-a-copy.md', `\`wait\` seconds (at most ${ListResponseChangesQuery.wait.max};`],
    ['docs/import.md', `Metadata of a response has up to ${metadata}`],
    ['proto/survey/responses/v1/public_response_service.proto', `at most ${metadata} of JSON`],
    ['docs/import.md', `\`Prefer: wait=<seconds>\` (at most ${maxWait})`],
    ['docs/import.md', `up to ${maxRejected} failed responses`],
    ['docs/console.md', `up to ${maxRejected} rejected responses`],
  ])('%s: %s', async (file, text) => {
    const words = (await readSource(file)).replaceAll(/\n\s*\/\/ /g, ' ');
    expect(words).toContain(text);
  });
});

interface Limits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

interface Field {
  readonly name: string;
  readonly description: string;
  readonly schema: Limits;
}

interface Member extends Limits {
  readonly description: string;
  /** The schema of a member that can be null, and null. */
  readonly anyOf?: readonly Limits[];
}

/** The parameters of operations, and the members of requests. */
function fieldsOfRequests(): readonly Field[] {
  const operations = Object.values(api.paths).flatMap((verbs) => Object.values(verbs));
  const requests = Object.entries(api.components.schemas).filter(([name]) => /(?:Request|Patch)$/.test(name));
  const members = requests.flatMap(([, { properties = {} }]) => Object.entries(properties));
  return [
    ...(operations
      .flatMap(({ parameters = [] }) => parameters)
      .filter((parameter) => 'schema' in parameter) as Field[]), // without references
    ...members.map(([name, member]) => ({
      name,
      description: member.description,
      schema: member.anyOf?.[0] ?? member,
    })),
  ];
}

describe('the comment of a field', () => {
  const ranges = fieldsOfRequests().flatMap(({ name, description, schema }) => {
    const [, low, high] = /\b([\d,]+) to ([\d,]+)\b/.exec(description) ?? [];
    const { minimum, maximum, minLength = minimum, maxLength = maximum } = schema;
    return low === undefined || maxLength === undefined
      ? []
      : [{ name, stated: [low, high], expected: [minLength ?? low, maxLength] }];
  });

  it('is compared if it states a range', () => {
    expect(new Set(ranges.map(({ name }) => name))).toEqual(
      new Set(['limit', 'wait', 'slug', 'secret', 'overlap_hours']),
    );
  });

  it.each(ranges)('states the limits of $name: $expected', ({ stated, expected }) => {
    expect(stated).toEqual(expected.map(String));
  });
});
