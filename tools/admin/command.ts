import type { OptionValues } from '@survey/local/process/command-line';
import { defaultFolder } from '@survey/local/stack/folder';
import { loadInstallation } from './installation.ts';

/** The options of all commands. */
export const options = {
  name: { type: 'string' },
  'owner-email': { type: 'string' },
  tenant: { type: 'string' },
  'requests-per-minute': { type: 'string' },
  'concurrent-requests': { type: 'string' },
  confirm: { type: 'string' },
  email: { type: 'string' },
  role: { type: 'string' },
  permission: { type: 'string', multiple: true },
  user: { type: 'string' },
  'token-id': { type: 'string' },
  'token-file': { type: 'string' },
  'expires-in': { type: 'string' },
  topic: { type: 'string' },
  'command-config': { type: 'string' },
  'to-datetime': { type: 'string' },
  partition: { type: 'string' },
  offset: { type: 'string' },
  execute: { type: 'boolean' },
  json: { type: 'boolean' },
  limit: { type: 'string' },
  after: { type: 'string' },
} as const;

export type Values = OptionValues<typeof options>;

/** A command of the operator. */
export interface Command {
  readonly required: readonly (keyof Values)[];
  readonly optional?: readonly (keyof Values)[];
  /**
   * Runs the command, and returns an object or a text to print. `values` has all required options, and no options that
   * the command does not have.
   */
  readonly run: (values: Values) => Promise<object | string>;
}

/** Loads the local stack, or the installation of SURVEY_INSTALLATION. */
export const loadCurrent = () => loadInstallation(defaultFolder(), process.env);
