import type { Backend } from '@survey/proto/catalog';
import type { readConfig } from '@survey/runtime/config/settings';
import { settings as gateway } from '../../gateway/src/config.ts';
import { settings as identity } from '../../services/identity/src/config.ts';
import { settings as imports } from '../../services/import/src/config.ts';
import { settings as response } from '../../services/response/src/config.ts';
import { settings as survey } from '../../services/survey/src/config.ts';
import { settings as webhook } from '../../services/webhook/src/config.ts';

type Settings = Parameters<typeof readConfig>[0];

/** The settings that each process reads at its start. */
export const settingsOf: Readonly<Record<Backend | 'gateway', Settings>> = {
  gateway,
  identity,
  survey,
  response,
  import: imports,
  webhook,
};
