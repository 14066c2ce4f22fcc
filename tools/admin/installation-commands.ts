import { toDemoCommands } from '@survey/local/demo/demo-commands';
import { createDemoTenant } from '@survey/local/demo/demo-tenant';
import { examine } from '../doctor/doctor.ts';
import { toText } from '../doctor/finding.ts';
import indexes from '../doctor/indexes.json' with { type: 'json' };
import { repair } from '../doctor/repair.ts';
import manifest from '../package.json' with { type: 'json' };
import { type Command, loadCurrent } from './command.ts';
import { grpcOf } from './installation.ts';

/** Commands about an installation as a whole. */
export const installationCommands: Readonly<Record<string, Command>> = {
  demo: {
    required: [],
    optional: ['name'],
    async run({ name = `Demo ${new Date().toISOString()}` }) {
      const installation = await loadCurrent();
      const { gateway, keys_folder: keysFolder } = installation;
      const demo = await createDemoTenant({
        name,
        gateway,
        keysFolder,
        identityAddress: grpcOf(installation, 'identity'),
        identityName: installation.processes['identity']?.tls_name,
      });
      console.error(toDemoCommands({ gateway, token: demo.apiKey, surveyId: demo.surveyId }));
      return {
        name,
        tenant_id: demo.tenantId,
        user_id: demo.userId,
        token: demo.token,
        api_key: demo.apiKey,
        survey_id: demo.surveyId,
        response_ids: demo.responseIds,
      };
    },
  },
  doctor: {
    required: [],
    optional: ['json'],
    async run({ json = false }) {
      const installation = await loadCurrent();
      const findings = await examine(installation, { clock: () => new Date(), version: manifest.version, indexes });
      if (findings.some(({ level }) => level === 'problem')) process.exitCode = 1;
      return json ? { findings } : toText(findings);
    },
  },
  repair: {
    required: [],
    optional: ['execute'],
    run: async ({ execute = false }) => ({
      executed: execute,
      ...(await repair(await loadCurrent(), { indexes, execute })),
    }),
  },
};
