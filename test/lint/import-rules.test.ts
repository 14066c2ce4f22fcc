import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root, runTool } from '../support/run-step.ts';

/** Files that break a rule, the line, and the message of the linter. */
const rejected = [
  ['services/survey/src/surveys/survey-service.ts', "import 'mongodb'", 'Only stores talk to MongoDB'],
  ['services/survey/src/survey-handler.ts', "import 'mongodb'", 'Only stores talk to MongoDB'],
  ['gateway/src/app.ts', "import 'mongodb'", 'Only stores talk to MongoDB'],
  ['services/survey/src/surveys/survey-store.ts', "import 'kafkajs'", 'Only lib/runtime/kafka'],
  ['lib/runtime/src/mongo/page.ts', "import 'kafkajs'", 'Only lib/runtime/kafka'],
  ['services/survey/src/app.ts', "import '@grpc/grpc-js'", 'Only lib/runtime/rpc'],
  ['services/survey/src/app.ts', "import '@connectrpc/connect-node'", 'Only lib/runtime/rpc'],
  ['services/survey/src/app.ts', "import 'express'", 'Only the gateway'],
  ['lib/runtime/src/rest/router.ts', "import 'express'", 'Only the gateway'],
  ['services/import/src/imports/import-service.ts', "import 'undici'", 'only the sender of webhooks'],
  ['services/survey/src/surveys/survey-service.ts', "import '@opentelemetry/api'", 'Only lib/runtime/telemetry'],
  ['lib/runtime/src/rpc/pipeline.ts', "import '@opentelemetry/api'", 'Only lib/runtime/telemetry'],
  ['services/survey/src/surveys/survey-store.ts', "import '@survey/proto/a/b_pb'", 'Generated code stays'],
  ['services/survey/src/surveys/survey.ts', "import type { A } from '@survey/proto/a/b_pb'", 'Generated code stays'],
  ['lib/questionnaire/src/compile.ts', "import '@survey/proto/a/b_pb'", 'Generated code stays'],
  ['lib/questionnaire/src/compile.ts', "import '@survey/runtime/errors/app-error'", 'nothing of the platform'],
  ['lib/questionnaire/src/compile.ts', "import 'node:fs'", 'run in browsers'],
  ['lib/formats/src/typeform/survey.ts', "import '@survey/proto/a/b_pb'", 'Generated code stays'],
  ['lib/formats/src/files/json.ts', "import 'mongodb'", 'Only stores talk to MongoDB'],
  ['lib/formats/src/sources.ts', "import '@survey/import-service/app'", 'Processes talk'],
  ['lib/cli/src/run-cli.ts', "import '@survey/runtime/errors/app-error'", 'nothing of the platform'],
  ['lib/client/src/call.ts', "import 'node:http'", 'run in browsers'],
  ['lib/webhooks/src/verifier.ts', "import 'node:crypto'", 'run in browsers'],
  [
    'services/survey/src/surveys/survey-service.ts',
    "import '@survey/runtime/mongo/system-scope'",
    'leave the scope of a tenant',
  ],
  [
    'services/identity/src/users/user-store.ts',
    "import '@survey/runtime/mongo/system-scope'",
    'leave the scope of a tenant',
  ],
  ['lib/runtime/src/kafka/outbox-store.ts', "import '../mongo/system-scope.ts'", 'leave the scope of a tenant'],
  ['lib/runtime/src/mongo/page.ts', "import '../kafka/topics.ts'", 'mongo/ comes before kafka/'],
  ['lib/runtime/src/mongo/page.ts', "import '@survey/runtime/kafka/topics'", 'mongo/ comes before kafka/'],
  ['lib/runtime/src/rpc/pipeline.ts', "import type { A } from '../rest/route.ts'", 'rpc/ comes before rest/'],
  ['lib/runtime/src/json/pointer.ts', "export { a } from '../config/kinds.ts'", 'json/ comes before config/'],
  ['lib/runtime/src/tenants/tenant-eraser.ts', "import '../service/service-app.ts'", 'tenants/ comes before service/'],
  ['services/survey/src/app.ts', "import '@survey/runtime/testing/poll'", 'for tests'],
  ['services/survey/src/app.ts', "import '@survey/response-service/app'", 'Processes talk'],
  ['services/survey/src/surveys/survey-store.ts', "import '../../../../services/response/src/a.ts'", 'Processes talk'],
  ['gateway/src/app.ts', "import '@survey/identity-service/app'", 'Processes talk'],
  ['lib/runtime/src/rest/router.ts', "import '@survey/gateway/app'", 'Processes talk'],
  ['services/survey/src/app.ts', "import '@survey/local/stack'", 'not shipped'],
  ['services/survey/src/config.ts', 'export const uri = process.env.MONGODB_URI', 'process.env'],
  ['lib/runtime/src/config/settings.ts', "export const uri = process.env['MONGODB_URI']", 'process.env'],
  ['gateway/src/main.ts', 'export const uri = process.env.MONGODB_URI', 'process.env'],
  ['services/survey/src/app.ts', "'a line';\n".repeat(501), 'Maximum allowed is 500'],
] as const;

const allowed = [
  ['services/survey/src/surveys/survey-store.ts', "import 'mongodb'"],
  ['services/survey/src/survey-handler.ts', "import '@survey/proto/a/b_pb'"],
  ['services/survey/src/surveys/survey-service.ts', "import '@survey/proto/catalog'"],
  ['lib/formats/src/custom/settings-mapper.ts', "import '@survey/proto/a/b_pb'"],
  ['services/survey/src/app.ts', "import '@survey/runtime/mongo/system-scope'"],
  ['services/webhook/src/sending/http-sender.ts', "import 'undici'"],
  ['gateway/src/app.ts', "import 'express'"],
  ['lib/runtime/src/kafka/consumer.ts', "import 'kafkajs'"],
  ['lib/runtime/src/kafka/consumer.ts', "import '../mongo/lease.ts'"],
  ['lib/runtime/src/kafka/consumer.test.ts', "import '../service/service-app.ts'"],
  ['lib/runtime/src/telemetry/spans.ts', "import '@opentelemetry/api'"],
  ['lib/runtime/src/telemetry/preload.ts', 'export const { PATH } = process.env'],
  ['lib/runtime/src/service/run-process.ts', 'export const { PATH } = process.env'],
  ['services/survey/src/app.test.ts', "import '@survey/runtime/testing/poll'"],
] as const;

/** The messages of the linter for each file, in order. The files are in a temporary repository. */
async function lint(files: readonly (readonly [path: string, line: string, ...unknown[]])[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'survey-lint-'));
  try {
    for (const [index, [path, line]] of files.entries()) {
      const file = join(folder, String(index), path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, `${line};\n`);
      await copyFile(join(root, 'oxlint.config.ts'), join(folder, String(index), 'oxlint.config.ts'));
    }
    const { output } = await runTool('oxlint', ['--format=json'], { cwd: folder });
    const { diagnostics, number_of_files } = JSON.parse(output);
    expect(number_of_files).toBe(2 * files.length);
    const said = files.map(() => '');
    for (const { filename, message, help } of diagnostics) said[Number(filename.split('/')[0])] += `${message} ${help}`;
    return said;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('the linter', () => {
  it('rejects what a file may not import or read, and says why', async () => {
    const said = await lint(rejected);
    for (const [index, [path, line, why]] of rejected.entries()) {
      expect(said[index], `${path}: ${line}`).toContain(why);
    }
  });

  it('accepts allowed imports', async () => {
    const said = await lint(allowed);
    for (const [index, [path, line]] of allowed.entries()) expect(said[index], `${path}: ${line}`).toBe('');
  });
});
