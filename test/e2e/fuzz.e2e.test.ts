import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectOperator } from '@survey/local/operator/operator-client';
import { toPaths } from '@survey/local/stack/folder';
import document from '@survey/proto/openapi.json' with { type: 'json' };
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type DocumentedResponse, resolve } from '../support/api/api-document.ts';
import { createApiWalk, operations } from '../support/api/api-walk.ts';
import { createTenant, type TestTenant, tokenFor } from '../support/platform.ts';
import { prepareSchemathesis, type Schemathesis } from './schemathesis.ts';

/** Other tests check that invalid requests are rejected. */
const EXCLUDED_CHECKS = [
  'negative_data_rejection',
  'positive_data_acceptance',
  'missing_required_header',
  'allow_header_conformance',
  'use_after_free',
  'ensure_resource_availability',
  'object_level_authorization',
];
/** Duration, if set by hand. */
const chosen = process.env['SURVEY_FUZZ_SECONDS'];
/** A short run with the same requests each time. */
const isShort = chosen === undefined && inject('testScope') === 'short';
const seconds = Number(chosen ?? (isShort ? 5 : 75));
/** The operations whose successful reply is a file. */
const fileOperations = operations
  .filter(
    ({ responses }) =>
      '*/*' in (resolve<DocumentedResponse>(document, responses['200'] ?? { description: '' }).content ?? {}),
  )
  .map(({ operationId }) => operationId);
/** Time for finishing the current request and reporting. */
const DONE_WITHIN_S = 120;

const schemathesis: Schemathesis | undefined = await prepareSchemathesis(console.log).catch((error: Error) => {
  console.warn(`schemathesis is not available, fuzzing is skipped: ${error.message.split('\n')[0]}`);
  return undefined;
});

let tenant: TestTenant;
let folder: string;

beforeAll(async () => {
  tenant = await createTenant();
  const identity = inject('stack').services['identity']?.grpc ?? '';
  const operator = await connectOperator(toPaths(inject('stackFolder')).keys, identity);
  try {
    // Raise the limits, because this tests replies, not limits.
    await operator.setTenantLimits(tenant.tenantId, { requestsPerMinute: 10_000_000, concurrentRequests: 10_000 });
  } finally {
    operator.close();
  }
  folder = await mkdtemp(join(tmpdir(), 'survey-fuzz-'));
});
afterAll(() => rm(folder, { recursive: true }));

/**
 * Operations that delete use random ids, because the others need the real records. A version that nobody has published is
 * unavailable: 503, as its description says. Files have no schema: a JSON file is not the string that the document
 * describes.
 */
async function writeConfig(records: Readonly<Record<string, string>>): Promise<string> {
  const file = join(folder, 'schemathesis.toml');
  const named = Object.entries({ ...records, at_least_version: 1 }).map(
    ([name, value]) => `${name} = ${JSON.stringify(value)}`,
  );
  const parts = [
    `[[operations]]\nexclude-method = "DELETE"\nparameters = { ${named.join(', ')} }\n`,
    `[[operations]]\ninclude-operation-id = ${JSON.stringify(fileOperations)}\nchecks.response_schema_conformance.enabled = false\n`,
  ];
  await writeFile(file, parts.join('\n'));
  return file;
}

describe.skipIf(schemathesis === undefined)('the API with generated requests', () => {
  it(
    'fails for no reason of its own, and replies only as its document says',
    async () => {
      const { gateway } = inject('stack');
      const token = await tokenFor(tenant.tenantId, tenant.userId);
      const walk = createApiWalk(tenant.api);
      await walk.makeRecords();
      const config = await writeConfig(walk.records);
      // Rejects with the problems found.
      const args = [
        ...['--no-color', '--config-file', config, 'run', `${gateway}/openapi.json`, '--url', gateway],
        ...['--header', `Authorization: Bearer ${token}`],
        ...['--phases', 'examples,coverage,fuzzing', '--max-time', String(seconds)],
        ...(isShort ? ['--seed', '1'] : []),
        ...['--exclude-checks', EXCLUDED_CHECKS.join(','), '--continue-on-failure', '--warnings', 'off'],
      ];
      const said = await schemathesis?.run(args, folder);
      expect(said).toMatch(/\d+ passed/);
    },
    (seconds + DONE_WITHIN_S) * 1_000,
  );
});
